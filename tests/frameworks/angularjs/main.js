angular.module("page", ["checklist"]).controller("Page", function Page() {
  Object.assign(this, {
    server: platform.server,
    tokenProvider: platform.tokenProvider,
    mounted: true,
    purpose: "",
    disableCheck: false,
    disabled: false,
    autosave: true,
    changes: [],
    submitted: "",
    submit: (event) => {
      this.submitted = new FormData(event.target).get("checklist") ?? "nothing";
    },
  });
});
