# frozen_string_literal: true

require 'net/http'

module ChecklistControl
  # Calls the checklist server. A call takes a few seconds at most, and every way in which it can
  # fail is an `Unavailable` with a reason for people.
  class Client
    class Unavailable < StandardError; end
    # The server has answered, and will answer the same again.
    class Refused < Unavailable; end

    # What a status of the server means.
    def self.error_of(status)
      status.between?(400, 499) && [408, 429].exclude?(status) ? Refused : Unavailable
    end

    # What one request may cost the page that waits for it, in seconds.
    OPEN_TIMEOUT = 2
    READ_TIMEOUT = 3
    # A server that has kept one request waiting is not asked again for so many seconds: a bulk edit
    # waits once, not for each issue.
    PAUSE = 10
    # What one call accepts.
    BATCH = 200
    PATH = '/api/Vendor/ChecklistControl'
    WEBHOOKS = '/api/Vendor/Webhooks'
    EVENTS = %w[checklist.completed checklist.reopened journal.entry].freeze

    class << self
      # Until when the server is not asked, by this process's monotonic clock.
      attr_accessor :paused_until
    end

    def initialize(configuration = Configuration.current)
      @configuration = configuration
    end

    # One answer for each context of a token, in order: a list, or a problem. Facts are the token's alone.
    def summaries(contexts)
      contexts.each_slice(BATCH).flat_map do |part|
        body = { Contexts: part.map { |one| one.except(:Facts) }, View: 'Summary', Language: I18n.locale.to_s }
        post("#{PATH}/GetItems", body, EmbedToken.for_reading(part)).fetch('Results')
      end
    end

    # The journal's entries of one list past a cursor, oldest first.
    def journal(context, after)
      query = context.slice(:ObjectType, :ObjectId, :Purpose).merge(After: after, Limit: 500)
      get("#{PATH}/Journal?#{query.to_query}", EmbedToken.for_reading([context])).fetch('Entries')
    end

    # The ids of the published templates with their names.
    def templates
      everything = { ObjectType: '*', ObjectId: '*', Purpose: '*' }
      get("#{PATH}/Templates?Limit=500", EmbedToken.for_reading([everything])).fetch('Templates').to_h do |row|
        names = row['Name']
        [row['Id'], names[I18n.locale.to_s] || names.values.first || row['Id']]
      end
    end

    # Registers the public key, the type (only lists of a registered type have a journal) and the
    # webhook, with an administrator's API key, which is not kept.
    # Answers the webhook's secret. A webhook of this Redmine that is there already is replaced, once
    # the new one is made.
    def register(api_key, webhook_url)
      put("#{PATH}/EmbedKeys/#{ERB::Util.url_encode(@configuration.key_id)}",
          { PublicKey: SigningKey.public_pem, Issuer: @configuration.issuer }, api_key)
      put("#{PATH}/Types/#{ERB::Util.url_encode(@configuration.object_type)}",
          { Classes: %w[UnitOfWork ChecklistItem], AlwaysJournal: true }, api_key)
      former = webhooks_at(webhook_url, api_key)
      webhook = { Name: "Redmine #{Setting.host_name}", Url: webhook_url, Events: EVENTS }
      secret = post(WEBHOOKS, webhook, api_key).fetch('Secret')
      former.each { |one| delete("#{WEBHOOKS}/#{one['Id']}", api_key) }
      secret
    end

    private

    # All webhooks with that URL; the server answers them in pages.
    def webhooks_at(url, api_key)
      found = []
      after = nil
      loop do
        query = URI.encode_www_form({ Limit: 500, After: after }.compact)
        page = get("#{WEBHOOKS}?#{query}", api_key)
        found.concat(page.fetch('Webhooks').select { |webhook| webhook['Url'] == url })
        after = page['Next'] or return found
      end
    end

    def delete(path, token) = request(Net::HTTP::Delete, path, nil, token)
    def get(path, token) = request(Net::HTTP::Get, path, nil, token)
    def post(path, body, token) = request(Net::HTTP::Post, path, body, token)
    def put(path, body, token) = request(Net::HTTP::Put, path, body, token)

    def request(method, path, body, token)
      raise Unavailable, I18n.t(:text_checklist_not_configured) unless @configuration.complete?

      raise Unavailable, I18n.t(:text_checklist_timeout) if now < self.class.paused_until.to_f

      uri = URI.parse(@configuration.api_url + path)
      request = method.new(uri)
      request['Authorization'] = "Bearer #{token}"
      request['Content-Type'] = 'application/json' if body
      request.body = body.to_json if body
      answer = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https', open_timeout: OPEN_TIMEOUT,
                                                   read_timeout: READ_TIMEOUT, write_timeout: READ_TIMEOUT,
                                                   max_retries: 0) { |http| http.request(request) }
      parse(answer)
    rescue Timeout::Error
      self.class.paused_until = now + PAUSE
      raise Unavailable, I18n.t(:text_checklist_timeout)
    rescue SystemCallError, SocketError, IOError, OpenSSL::OpenSSLError,
           Net::ProtocolError, Net::HTTPBadResponse, URI::InvalidURIError => e
      raise Unavailable, e.message
    end

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end

    def parse(answer)
      content = answer.body.present? ? JSON.parse(answer.body) : {}
      return content if answer.is_a?(Net::HTTPSuccess)

      # What is wrong with a field says more than that fields are wrong.
      fields = Array(content['Errors']).filter_map { |error| error['Detail'] }.join(' ')
      reason = "#{fields.presence || content['detail'] || content['title'] || answer.message} (#{answer.code})"
      raise self.class.error_of(answer.code.to_i), reason
    rescue JSON::ParserError
      raise Unavailable, "#{answer.code} #{answer.message}"
    end
  end
end
