# frozen_string_literal: true

# The settings page of administrators. Secrets are written here and never sent back.
class ChecklistSettingsController < ApplicationController
  layout 'admin'
  self.main_menu = false
  before_action :require_admin
  require_sudo_mode :update, :register

  def edit
    @configuration = ChecklistControl::Configuration.current
    prepare
  end

  def update
    @configuration = ChecklistControl::Configuration.new(settings)
    if @configuration.save
      secret = params[:webhook_secret]
      ChecklistControl::Secrets[:webhook_secret] = secret.strip if secret.present?
      ChecklistControl::SigningKey.create_if_missing
      redirect_to checklist_settings_path, notice: l(:notice_successful_update)
    else
      prepare
      render :edit
    end
  end

  # Reads the templates with a token of this Redmine: address, tenant, key and clock are right then.
  # The issues of a tracker whose template the server does not have could never be closed.
  def test
    known = ChecklistControl::Client.new.templates
    missing = ChecklistControl::Configuration.current.templates - known.keys
    flash[:notice] = l(:notice_checklist_connected, count: known.size)
    warnings = []
    warnings << l(:warning_checklist_templates, templates: missing.join(', ')) if missing.any?
    warnings << l(:warning_checklist_no_webhook) if ChecklistControl::Secrets[:webhook_secret].blank?
    flash[:warning] = warnings.join(' ') if warnings.any?
    redirect_to checklist_settings_path
  rescue ChecklistControl::Client::Unavailable => e
    redirect_to checklist_settings_path, flash: { error: l(:error_checklist_connection, reason: e.message) }
  end

  # Enters this Redmine at the server: its key and its webhook.
  def register
    ChecklistControl::SigningKey.create_if_missing
    secret = ChecklistControl::Client.new.register(params[:api_key].to_s.strip, checklist_webhook_url)
    ChecklistControl::Secrets[:webhook_secret] = secret
    redirect_to checklist_settings_path, notice: l(:notice_checklist_registered)
  rescue ChecklistControl::Client::Unavailable => e
    redirect_to checklist_settings_path, flash: { error: l(:error_checklist_connection, reason: e.message) }
  end

  private

  def settings
    params.require(:settings).permit(
      *(ChecklistControl::Configuration::FIELDS - %i[trackers exceptions]),
      trackers: {}, exceptions: %i[project tracker template]
    ).to_h.symbolize_keys
  end

  def prepare
    @trackers = Tracker.sorted
    @projects = Project.active.order(:name)
    @public_key = ChecklistControl::SigningKey.public_pem
    @has_webhook_secret = ChecklistControl::Secrets[:webhook_secret].present?
    @templates = @public_key && @configuration.complete? ? ChecklistControl::Client.new.templates : {}
  rescue ChecklistControl::Client::Unavailable
    @templates = {}
  end
end
