// What the platform around every page gives it: where the server is, and tokens of its own.

export const server = new URLSearchParams(location.search).get("server") ?? "";

export async function tokenProvider({ contexts }: { contexts: object[] }) {
  const answer = await fetch("/token", { method: "POST", body: JSON.stringify({ Contexts: contexts }) });
  const { Token, ExpiresAt } = await answer.json();
  return { token: Token as string, expiresAt: ExpiresAt as string };
}

/** What a form says about its checklist; "nothing" where it is disabled. */
export function submittedOf(form: HTMLFormElement): string {
  return String(new FormData(form).get("checklist") ?? "nothing");
}
