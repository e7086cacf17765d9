/**
 * Says so where the control's script cannot be loaded, instead of "loading" for ever. Everything
 * else is done by the element itself.
 */
{
  const tell = () => {
    for (const text of document.querySelectorAll(".checklist-loading, .checklist-failed")) {
      text.hidden = text.matches(".checklist-loading");
    }
  };
  // Errors of scripts do not bubble, and may come before the page has been read to its end.
  document.addEventListener(
    "error",
    ({ target }) => {
      if (target.id !== "checklist-control-script") return;
      tell();
      document.addEventListener("DOMContentLoaded", tell);
    },
    true,
  );
}
