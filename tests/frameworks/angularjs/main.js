import angular from "angular";
import "./checklist.js";
import { server, submittedOf, tokenProvider } from "../platform";

angular.module("page", ["checklist"]).controller("Page", function Page() {
  Object.assign(this, {
    server,
    tokenProvider,
    mounted: true,
    purpose: "",
    disableCheck: false,
    disabled: false,
    autosave: true,
    completed: false,
    changes: [],
    submitted: "",
    submit: (event) => {
      this.submitted = submittedOf(event.target);
    },
  });
});
angular.bootstrap(document.querySelector("#page"), ["page"], { strictDi: false });
