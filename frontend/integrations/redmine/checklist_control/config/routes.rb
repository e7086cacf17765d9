# frozen_string_literal: true

scope '/checklist_control' do
  # As a script's request: with a session, unlike Redmine's API, and 401 instead of the sign-in page.
  post 'issues/:id/token', to: 'checklist_tokens#create', as: 'checklist_token', defaults: { format: 'js' }
  post 'webhook', to: 'checklist_webhooks#create', as: 'checklist_webhook', defaults: { format: 'json' }
  get 'settings', to: 'checklist_settings#edit', as: 'checklist_settings'
  post 'settings', to: 'checklist_settings#update'
  post 'settings/test', to: 'checklist_settings#test', as: 'test_checklist_settings'
  post 'settings/register', to: 'checklist_settings#register', as: 'register_checklist_settings'
end
