# frozen_string_literal: true

require 'base64'
require 'openssl'

module ChecklistControl
  # Verifies deliveries (Standard Webhooks): HMAC-SHA256 over `id.timestamp.body`, and a timestamp
  # that is at most five minutes away, so that a recorded delivery cannot be sent again later.
  module WebhookSignature
    TOLERANCE = 5.minutes

    module_function

    def valid?(secret, headers, body)
      id, timestamp, signatures = %w[webhook-id webhook-timestamp webhook-signature].map { |name| headers[name] }
      return false if [secret, id, timestamp, signatures].any?(&:blank?)
      return false if (Time.now.to_i - timestamp.to_i).abs > TOLERANCE

      key = Base64.decode64(secret.delete_prefix('whsec_'))
      expected = Base64.strict_encode64(OpenSSL::HMAC.digest('SHA256', key, "#{id}.#{timestamp}.#{body}"))
      # During a rotation there is a signature of each secret.
      signatures.split.any? do |signature|
        ActiveSupport::SecurityUtils.secure_compare(signature.delete_prefix('v1,'), expected)
      end
    end
  end
end
