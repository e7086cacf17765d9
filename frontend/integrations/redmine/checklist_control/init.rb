# frozen_string_literal: true

# Registers the plugin with Redmine. Redmine runs this file again when its code is reloaded, so
# everything here may be repeated.

Redmine::Plugin.register :checklist_control do
  name 'Checklist Control'
  description 'Checklists on issues: people check off steps, and an issue is not closed before its list is completed or waived.'
  version '0.1.0'
  author 'The Checklist Control authors'
  requires_redmine version_or_higher: '5.0'

  # The page is one of its own, with checks and buttons; Redmine's form for plugins leads there.
  settings default: {}, partial: 'checklist_settings/moved'
  menu :admin_menu, :checklist_control, { controller: 'checklist_settings', action: 'edit' },
       caption: :label_checklist_plural, html: { class: 'icon icon-checked' }

  project_module :checklists do
    permission :view_checklists, { checklist_tokens: :create }, read: true
    permission :edit_checklists, { checklist_tokens: :create }, require: :member
    permission :waive_checklists, { checklist_tokens: :create }, require: :member
  end
end

# Secrets are kept apart from the settings that the page shows.
Setting.define_setting ChecklistControl::Secrets::SETTING, 'default' => {}, 'serialized' => true
Rails.application.config.filter_parameters |= %i[api_key webhook_secret]

Issue.prepend ChecklistControl::Patches::IssuePatch
IssueQuery.prepend ChecklistControl::Patches::IssueQueryPatch
QueriesHelper.prepend ChecklistControl::Patches::QueriesHelperPatch
SettingsController.prepend ChecklistControl::Patches::SettingsControllerPatch
ChecklistControl::Patches::IssueQueryPatch.add_column
ChecklistControl::Hooks.instance
