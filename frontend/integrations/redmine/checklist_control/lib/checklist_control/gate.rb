# frozen_string_literal: true

module ChecklistControl
  # Decides whether an issue may be closed: nil if so, else the reason for people.
  module Gate
    # How many open items the message names.
    NAMED = 5

    module_function

    def refusal(issue)
      list = Checklist.of(issue)
      return unless list.exists?

      answer = Client.new.summaries([list.granted_context]).first
      unless answer.key?('Completed')
        raise Client.error_of(answer['status'].to_i), answer['detail'] || answer['title']
      end

      reason(answer) unless answer['Completed'] || answer['State'] == 'Waived'
    rescue Client::Unavailable => e
      unreachable(issue, e)
    end

    def reason(answer)
      blockers = answer['Blockers'].map { |blocker| blocker['Text'] }
      return I18n.t(:error_checklist_empty) if blockers.empty?

      open = answer['CompletionRule'] == 'Required' ? answer['Counts']['RequiredOpen'] : answer['Counts']['Open']
      named = blockers.first(NAMED).join('; ')
      more = open - [blockers.size, NAMED].min
      named += " #{I18n.t(:text_checklist_more, count: more)}" if more.positive?
      I18n.t(:error_checklist_open, count: open, items: named)
    end

    def unreachable(issue, error)
      Rails.logger.error("Checklist Control: the list of issue ##{issue.id} could not be read: #{error.message}")
      return if Configuration.current.when_unreachable == 'allow'

      sentence = error.is_a?(Client::Refused) ? :error_checklist_refused : :error_checklist_unreachable
      I18n.t(sentence, reason: error.message)
    end

    private_class_method :reason, :unreachable
  end
end
