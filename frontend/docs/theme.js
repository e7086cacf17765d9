/** Before anything is drawn: the colors that the reader has chosen, and that there are scripts. */
{
  const root = document.documentElement;
  root.classList.add("scripted");
  try {
    const theme = localStorage.getItem("checklist-docs-theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // Without storage the colors are those of the system.
  }
}
