# frozen_string_literal: true

module ChecklistControl
  module Patches
    # "Configure" in Redmine's list of plugins leads to the plugin's own page.
    module SettingsControllerPatch
      def plugin
        params[:id] == 'checklist_control' ? redirect_to(checklist_settings_path) : super
      end
    end
  end
end
