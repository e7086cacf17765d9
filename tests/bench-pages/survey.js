/** The small checklist as a question of SurveyJS: ticks alone, its rows cannot be edited. */

import { Model } from "survey-core";
import { renderSurvey } from "survey-js-ui";
import "survey-core/survey-core.css";
import { items as load, status } from "./data.js";

const items = await load();
const survey = new Model({
  showNavigationButtons: false,
  elements: [{ type: "checkbox", name: "list", titleLocation: "hidden", choices: items.map(({ id, text }) => ({ value: id, text })) }],
});
survey.data = { list: items.filter((item) => item.done).map((item) => item.id) };
const line = document.querySelector(".status");
const say = () => {
  const done = new Set(survey.data.list);
  for (const item of items) item.done = done.has(item.id);
  line.textContent = status(items);
};
survey.onValueChanged.add(say);
renderSurvey(survey, document.getElementById("survey"));
say();
