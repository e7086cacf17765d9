# frozen_string_literal: true

module ChecklistControl
  # Writes what happened to a checklist into the history of its issue.
  #
  # Invariants: an entry of the checklist's journal has one note, which grows with the entry; a
  # delivery that is repeated changes nothing. A note has the time of what it tells, however late it
  # comes. The issue itself is not touched, so whoever edits it at the same time can save.
  class History
    def initialize(issue)
      @issue = issue
    end

    # Everything in the list's journal that the history does not have yet.
    def update
      cursor = ChecklistNote.where(issue_id: @issue.id).maximum(:cursor) || 0
      Client.new.journal(Checklist.of(@issue).context, cursor).each { |entry| write_entry(entry) }
    end

    # The list has been completed, or is open again.
    def write_state(delivery, text, time)
      once("delivery:#{delivery}") do |note|
        author = last_journal&.user || User.anonymous
        note.update!(journal_id: add(author, text, time).id)
      end
    end

    private

    def write_entry(entry)
      once("entry:#{entry['Id']}", entry['Cursor']) do |note|
        text = text_of(entry)
        if note.journal
          note.journal.update_column(:notes, text)
        else
          note.journal_id = add(author_of(entry['Actor']), text, entry['From']).id
        end
        note.update!(cursor: entry['Cursor'])
      end
    end

    # Holds the row of a source while the block writes. A second delivery waits for the unique
    # index, and then finds that there is nothing to do.
    def once(source, cursor = nil)
      ChecklistNote.transaction(requires_new: true) do
        note = ChecklistNote.lock.find_by(issue_id: @issue.id, source: source) ||
               ChecklistNote.create!(issue_id: @issue.id, source: source)
        next if note.journal_id && (cursor.nil? || note.cursor >= cursor)

        yield note
      end
    rescue ActiveRecord::RecordNotUnique
      retry
    end

    # Nobody gets a mail for a tick.
    def add(author, text, time)
      journal = Journal.new(journalized: @issue, user: author, notes: text, created_on: time)
      journal.notify = false
      journal.save!
      journal
    end

    def last_journal
      ChecklistNote.where(issue_id: @issue.id).where.not(cursor: 0).order(:cursor).last&.journal
    end

    # People of this Redmine are the authors of their notes; everybody else is named in the text.
    def author_of(actor)
      own?(actor) && User.active.find_by(id: actor['Id']) || User.anonymous
    end

    def own?(actor)
      actor['Key'] == Configuration.current.key_id
    end

    # One line for each event, in Redmine's language; the server's own sentence is English.
    def text_of(entry)
      name = entry['Actor']['Name'] unless own?(entry['Actor'])
      heading = [I18n.t(:label_checklist), name].compact.join(', ')
      ["#{heading}:", *entry['Events'].map { |event| line_of(event) }.uniq].join("\n")
    end

    def line_of(event)
      what = I18n.t("checklist_event.#{event['What']}", default: event['What'])
      # A waiver is of the whole list, and says why.
      text = event['What'].start_with?('Waive') ? event['After'] : event['Text']
      "* #{[what, text.presence].compact.join(': ')}"
    end
  end
end
