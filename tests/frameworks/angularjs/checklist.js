import "@checklist-control/element";
import angular from "angular";
import { server, tokenProvider } from "../platform";

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
  controller() {
    this.server = server;
    this.tokenProvider = tokenProvider;
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
