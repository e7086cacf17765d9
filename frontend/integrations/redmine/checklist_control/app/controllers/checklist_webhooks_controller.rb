# frozen_string_literal: true

# Receives the checklist server's deliveries. Only signed ones are read; a failure makes the server
# send the delivery again later.
class ChecklistWebhooksController < ApplicationController
  skip_before_action :verify_authenticity_token, :check_if_login_required

  def create
    body = request.raw_post
    secret = ChecklistControl::Secrets[:webhook_secret]
    return head(:unauthorized) unless ChecklistControl::WebhookSignature.valid?(secret, request.headers, body)

    event = JSON.parse(body)
    issue = issue_of(event['data'])
    write(issue, event) if issue
    head :no_content
  rescue ChecklistControl::Client::Unavailable => e
    logger.error("Checklist Control: a delivery waits: #{e.message}")
    head :service_unavailable
  rescue JSON::ParserError
    head :bad_request
  end

  private

  # Nil for events of other objects, other platforms, and issues that are gone.
  def issue_of(data)
    context = data['Context'] || {}
    return unless context['ObjectType'] == ChecklistControl::Configuration.current.object_type
    return unless context['Purpose'].blank?

    issue = Issue.find_by(id: context['ObjectId'])
    # Rails reads "12th" as 12.
    return unless issue && issue.id.to_s == context['ObjectId']

    issue if ChecklistControl::Checklist.of(issue).exists?
  end

  def write(issue, event)
    history = ChecklistControl::History.new(issue)
    history.update
    text = { 'checklist.completed' => :text_checklist_completed,
             'checklist.reopened' => :text_checklist_reopened }[event['type']]
    history.write_state(event['data']['Id'], l(text), event['timestamp']) if text
  end
end
