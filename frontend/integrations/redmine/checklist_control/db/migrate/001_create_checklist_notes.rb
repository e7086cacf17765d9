# frozen_string_literal: true

# What the webhook has written into issues' histories. The unique index is what makes a repeated
# or concurrent delivery harmless.
class CreateChecklistNotes < ActiveRecord::Migration[6.1]
  def up
    create_table :checklist_notes do |t|
      t.integer :issue_id, null: false
      t.string :source, null: false
      t.bigint :cursor, null: false, default: 0
      t.integer :journal_id
    end
    add_index :checklist_notes, %i[issue_id source], unique: true
  end

  # The notes stay in the issues' histories. Everything else that the plugin has stored goes.
  def down
    drop_table :checklist_notes
    Setting.where(name: %w[plugin_checklist_control checklist_control_secrets]).delete_all
    EnabledModule.where(name: 'checklists').delete_all
    Role.find_each { |role| role.remove_permission!(:view_checklists, :edit_checklists, :waive_checklists) }
  end
end
