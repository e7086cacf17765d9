import { createRoot } from "react-dom/client";
import { server } from "../platform";
import { Page } from "../react-page";
import { Checklist } from "./Checklist";

const preview = <checklist-preview id="preview" template="f" base-url={server} token-url="/token" />;

createRoot(document.querySelector("#page")!).render(<Page Checklist={Checklist} preview={preview} />);
