# frozen_string_literal: true

module ChecklistControl
  # The private key and the webhook's secret, encrypted with Redmine's `database_cipher_key` where
  # there is one. They are written and used, never shown.
  module Secrets
    SETTING = 'checklist_control_secrets'

    module_function

    def [](name)
      Redmine::Ciphering.decrypt_text(Setting[SETTING][name.to_s]).presence
    end

    def []=(name, value)
      Setting[SETTING] = Setting[SETTING].to_h.merge(name.to_s => Redmine::Ciphering.encrypt_text(value))
    end
  end
end
