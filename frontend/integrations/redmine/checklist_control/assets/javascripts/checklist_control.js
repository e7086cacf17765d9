/**
 * Says so where the checklist cannot be loaded, instead of "loading" for ever. Everything else is
 * done by the element itself.
 */
document.addEventListener(
  "error",
  ({ target }) => {
    if (target.id === "checklist-control-script") document.documentElement.classList.add("checklist-unreachable");
  },
  true,
);
