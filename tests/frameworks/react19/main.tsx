import { createRoot } from "react-dom/client";
import { server, tokenProvider } from "../platform";
import { Page } from "../react-page";
import { Checklist } from "./Checklist";

const preview = <checklist-preview id="preview" template="f" baseUrl={server} tokenProvider={tokenProvider} />;

createRoot(document.querySelector("#page")!).render(<Page Checklist={Checklist} preview={preview} />);
