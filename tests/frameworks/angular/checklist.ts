import "@checklist-control/element";
import type { ChecklistControlEventMap } from "@checklist-control/element";
import { CUSTOM_ELEMENTS_SCHEMA, Component, EventEmitter, Input, Output } from "@angular/core";
import { server, tokenProvider } from "../platform";

@Component({
  selector: "app-checklist",
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <checklist-control
      id="list"
      name="checklist"
      object-type="incident"
      [baseUrl]="server"
      [tokenProvider]="tokenProvider"
      [objectId]="objectId"
      [purpose]="purpose"
      [disableCheck]="disableCheck"
      [disabled]="disabled"
      [autosave]="autosave ? '' : 'off'"
      (completed-changed)="tell($event)"
      (checklist-change)="changed.emit($event.detail.what)"
    ></checklist-control>
  `,
})
export class Checklist {
  readonly server = server;
  readonly tokenProvider = tokenProvider;

  @Input({ required: true }) objectId!: string;
  @Input() purpose = "";
  @Input() disableCheck = false;
  @Input() disabled = false;
  @Input() autosave = true;
  /** Two-way, as `[(completed)]`; what is set from outside is of no consequence. */
  @Input() completed = false;
  @Output() readonly completedChange = new EventEmitter<boolean>();
  @Output() readonly changed = new EventEmitter<string>();

  tell(event: ChecklistControlEventMap["completed-changed"]): void {
    this.completedChange.emit(event.detail.completed);
  }
}
