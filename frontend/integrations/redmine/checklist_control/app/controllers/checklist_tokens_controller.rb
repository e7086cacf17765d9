# frozen_string_literal: true

# Gives the element on an issue's page a token for that issue's list, with the rights that the
# person has in Redmine at that moment. The element asks again before the token expires.
class ChecklistTokensController < ApplicationController
  # The element sends no form token. Another site's page cannot read the answer, and nothing changes.
  skip_before_action :verify_authenticity_token, :check_if_login_required

  # Whoever signs in in another tab keeps the session of that: an answer that was on its way would bring
  # the cookie of the session before.
  prepend_before_action { request.session_options[:skip] = true }

  def create
    issue = Issue.find_by(id: params[:id])
    return refuse unless issue && ChecklistControl::Checklist.of(issue).visible_to?(User.current)

    token = ChecklistControl::EmbedToken.for_person(User.current, issue, origin: request.origin || request.base_url)
    response.headers['Cache-Control'] = 'no-store'
    render json: { Token: token.to_s, ExpiresAt: token.expires_at.utc.iso8601 }
  rescue ChecklistControl::Client::Unavailable => e
    render json: { detail: e.message }, status: :service_unavailable
  end

  private

  # A session that has ended. Redmine's own answer would have the browser ask for a password.
  def require_login
    head :unauthorized
  end

  # Signed out, or without the right: the same for issues that do not exist.
  def refuse
    head(User.current.logged? ? :forbidden : :unauthorized)
  end
end
