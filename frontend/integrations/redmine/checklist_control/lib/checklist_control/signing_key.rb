# frozen_string_literal: true

require 'openssl'

module ChecklistControl
  # The Ed25519 key of this Redmine. Only its public half leaves the program.
  module SigningKey
    module_function

    def create
      Secrets[:signing_key] = OpenSSL::PKey.generate_key('ED25519').private_to_pem
    end

    def create_if_missing
      create unless Secrets[:signing_key]
    end

    def public_pem
      pem = Secrets[:signing_key]
      pem && OpenSSL::PKey.read(pem).public_to_pem
    end

    def sign(data)
      pem = Secrets[:signing_key] or raise Client::Unavailable, I18n.t(:text_checklist_no_key)
      OpenSSL::PKey.read(pem).sign(nil, data)
    end
  end
end
