# frozen_string_literal: true

module ChecklistControl
  # The settings of the plugin, as its page shows and checks them.
  class Configuration
    include ActiveModel::Model

    FIELDS = %i[base_url server_url tenant object_type key_id trackers exceptions when_unreachable].freeze
    WHEN_UNREACHABLE = %w[refuse allow].freeze
    IDENTIFIER = 200
    attr_accessor(*FIELDS)

    validates :tenant, :object_type, :key_id, presence: true, length: { maximum: IDENTIFIER }
    validates :when_unreachable, inclusion: { in: WHEN_UNREACHABLE }
    validate :addresses_are_web_addresses

    def self.current
      new((Setting.plugin_checklist_control || {}).to_h.symbolize_keys.slice(*FIELDS))
    end

    def initialize(attributes = {})
      super
      self.base_url = base_url.to_s.strip.chomp('/')
      self.server_url = server_url.to_s.strip.chomp('/')
      self.tenant = tenant.to_s.strip
      self.object_type = object_type.presence || 'redmine-issue'
      self.key_id = key_id.presence || "redmine-#{SecureRandom.hex(4)}"
      self.when_unreachable = when_unreachable.presence || 'refuse'
      self.trackers = (trackers || {}).to_h.transform_values { |template| template.to_s.strip }.compact_blank
      self.exceptions = self.class.rows(exceptions)
    end

    # The rows of the table of exceptions that are complete.
    def self.rows(exceptions)
      rows = exceptions.is_a?(Hash) ? exceptions.values : Array(exceptions)
      rows.map { |row| row.to_h.stringify_keys.slice('project', 'tracker', 'template') }
          .reject { |row| row.values_at('project', 'tracker', 'template').any?(&:blank?) }
    end

    def save
      return false unless valid?

      Setting.plugin_checklist_control = FIELDS.to_h { |name| [name.to_s, public_send(name)] }
      true
    end

    # Whether the plugin knows a server; before that it shows and refuses nothing.
    def complete?
      base_url.present? && tenant.present?
    end

    # The server as Redmine reaches it, where that is another address than the browsers'.
    def api_url
      server_url.presence || base_url
    end

    # The template of an issue's checklist; nil for issues without one.
    def template_for(issue)
      exception = exceptions.find do |row|
        row['project'] == issue.project_id.to_s && row['tracker'] == issue.tracker_id.to_s
      end
      exception ? exception['template'] : trackers[issue.tracker_id.to_s]
    end

    # The ids of all templates that issues get.
    def templates
      (trackers.values + exceptions.map { |row| row['template'] }).compact_blank.uniq
    end

    # Who vouches for this Redmine's people in the server's logs.
    def issuer
      "#{Setting.protocol}://#{Setting.host_name}"
    end

    private

    def addresses_are_web_addresses
      errors.add(:base_url, :blank) if base_url.blank?
      { base_url: base_url, server_url: server_url }.each do |name, address|
        errors.add(name, :invalid) unless address.blank? || web_address?(address)
      end
    end

    def web_address?(address)
      uri = URI.parse(address)
      uri.is_a?(URI::HTTP) && uri.host.present? && uri.query.nil? && uri.fragment.nil?
    rescue URI::InvalidURIError
      false
    end
  end
end
