import "@angular/compiler";
import { CUSTOM_ELEMENTS_SCHEMA, Component, provideZonelessChangeDetection } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { server, submittedOf, tokenProvider } from "../platform";
import { Checklist } from "./checklist";

@Component({
  selector: "#page",
  imports: [Checklist],
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <button type="button" id="mounted" (click)="mounted = !mounted">Mounted</button>
    <button type="button" id="purpose" (click)="purpose = purpose ? '' : 'other'">Purpose</button>
    <button type="button" id="disable-check" (click)="disableCheck = !disableCheck">Disable check</button>
    <button type="button" id="disabled" (click)="disabled = !disabled">Disabled</button>
    <button type="button" id="autosave" (click)="autosave = !autosave">Autosave</button>
    <p>Completed: <output id="completed">{{ completed ? "yes" : "no" }}</output></p>
    <p>Changes: <output id="changes">{{ changes.join(" ") }}</output></p>
    <p>Submitted: <output id="submitted">{{ submitted }}</output></p>
    <form id="form" (submit)="submit($event)">
      <button id="submit">Submit</button>
      <button id="reset" type="reset">Reset</button>
      @if (mounted) {
        <app-checklist
          objectId="1"
          [purpose]="purpose"
          [disableCheck]="disableCheck"
          [disabled]="disabled"
          [autosave]="autosave"
          [(completed)]="completed"
          (changed)="changes.push($event)"
        />
      }
    </form>
    <checklist-preview id="preview" template="f" [baseUrl]="server" [tokenProvider]="tokenProvider"></checklist-preview>
  `,
})
class Page {
  readonly server = server;
  readonly tokenProvider = tokenProvider;
  mounted = true;
  purpose = "";
  disableCheck = false;
  disabled = false;
  autosave = true;
  completed = false;
  changes: string[] = [];
  submitted = "";

  submit(event: Event): void {
    event.preventDefault();
    this.submitted = submittedOf(event.currentTarget as HTMLFormElement);
  }
}

bootstrapApplication(Page, { providers: [provideZonelessChangeDetection()] }).catch((error: unknown) => console.error(error));
