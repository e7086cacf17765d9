/** The small checklist with React 19. */

import { memo, useCallback, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { items as load, newId, status } from "./data.js";

const Row = memo(function Row({ item, set, remove }) {
  return (
    <li data-id={item.id}>
      <input type="checkbox" id={`c-${item.id}`} checked={item.done} onChange={(event) => set(item.id, { done: event.target.checked })} />
      <label htmlFor={`c-${item.id}`}>{item.text}</label>
      <button type="button" onClick={() => set(item.id, { text: prompt("Text", item.text) ?? item.text })}>Edit</button>
      <button type="button" onClick={() => remove(item.id)}>Delete</button>
    </li>
  );
});

function Checklist() {
  const [items, setItems] = useState([]);
  useEffect(() => void load().then(setItems), []);
  const set = useCallback(
    (id, change) => setItems((all) => all.map((item) => (item.id === id ? { ...item, ...change } : item))),
    [],
  );
  const remove = useCallback((id) => setItems((all) => all.filter((item) => item.id !== id)), []);
  const add = (event) => {
    event.preventDefault();
    const text = event.target.elements.text.value;
    setItems((all) => [...all, { id: newId(), text, done: false }]);
    event.target.reset();
  };
  return (
    <>
      <style>{"ul{list-style:none;margin:0;padding:0}li{display:flex;gap:8px;padding:6px}label{flex:1}"}</style>
      <p className="status">{status(items)}</p>
      <ul>{items.map((item) => <Row key={item.id} item={item} set={set} remove={remove} />)}</ul>
      <form onSubmit={add}><input name="text" /></form>
    </>
  );
}

createRoot(document.getElementById("root")).render(<Checklist />);
