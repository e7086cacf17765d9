# frozen_string_literal: true

require 'base64'
require 'json'

module ChecklistControl
  # Embed tokens: who somebody is and what they may do with which lists, signed by this Redmine.
  # They are short-lived, so that a right that was taken away ends soon. Each names the template of
  # its lists, so that nobody begins one with another template.
  class EmbedToken
    LIFETIME = 5.minutes
    VIEW = %w[Read].freeze
    EDIT = %w[Read Check UncheckOthers Edit Add Delete Reorder Refresh].freeze
    WAIVE = %w[Waive].freeze

    attr_reader :expires_at

    # For a person's browser, on pages of `origin` only.
    def self.for_person(user, issue, origin:)
      list = Checklist.of(issue)
      perm = list.editable_by?(user) ? EDIT : VIEW
      perm += WAIVE if list.waivable_by?(user)
      new(sub: user.id.to_s, name: user.name, contexts: [list.granted_context], perm: perm, journal: true, origin: origin)
    end

    # For Redmine itself, which reads lists to show their progress and to let issues be closed.
    def self.for_reading(contexts)
      new(sub: 'redmine', name: 'Redmine', contexts: contexts, perm: VIEW)
    end

    def initialize(claims)
      @configuration = Configuration.current
      @claims = claims
      @expires_at = LIFETIME.from_now
    end

    def to_s
      header = { alg: 'EdDSA', typ: 'JWT', kid: @configuration.key_id }
      signed = [header, all_claims].map { |part| encode(part.to_json) }.join('.')
      "#{signed}.#{encode(SigningKey.sign(signed))}"
    end

    private

    def all_claims
      @claims.merge(
        iss: @configuration.issuer, aud: @configuration.base_url, tenant: @configuration.tenant,
        iat: Time.now.to_i, exp: @expires_at.to_i, jti: SecureRandom.uuid
      )
    end

    def encode(bytes)
      Base64.urlsafe_encode64(bytes, padding: false)
    end
  end
end
