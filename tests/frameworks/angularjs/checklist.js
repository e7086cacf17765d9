angular.module("checklist", []).component("appChecklist", {
  bindings: {
    objectId: "@",
    purpose: "<",
    disableCheck: "<",
    disabled: "<",
    autosave: "<",
    completed: "=",
    onChanged: "&",
  },
  controller: function () {
    this.server = platform.server;
    this.tokenProvider = platform.tokenProvider;
    // Until the list says otherwise; so the page has a value from the first digest on.
    this.$onInit = () => {
      this.completed = false;
    };
  },
  template: `
    <checklist-control
      id="list"
      name="checklist"
      object-type="incident"
      ng-prop-base_url="$ctrl.server"
      ng-prop-token_provider="$ctrl.tokenProvider"
      ng-prop-object_id="$ctrl.objectId"
      ng-prop-purpose="$ctrl.purpose"
      ng-prop-disable_check="$ctrl.disableCheck"
      ng-prop-disabled="$ctrl.disabled"
      ng-prop-autosave="$ctrl.autosave ? '' : 'off'"
      ng-on-completed-changed="$ctrl.completed = $event.detail.completed"
      ng-on-checklist-change="$ctrl.onChanged({ what: $event.detail.what })"
    ></checklist-control>
  `,
});
