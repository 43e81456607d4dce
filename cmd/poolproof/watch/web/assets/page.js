// Keeps the status page up to date: it asks for the part that changes, and puts it in place where it differs.
"use strict";
(() => {
  const pause = 3000;
  const root = document.documentElement;
  const main = document.getElementById("live");
  const lost = document.getElementById("lost");
  const search = document.getElementById("q");
  const relative = new Intl.RelativeTimeFormat(root.lang, { numeric: "always", style: "short" });
  let tag = "", timer = 0, asking = null, shown = "";

  const units = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
  const spans = {};
  for (const [unit] of units) spans[unit] = new Intl.NumberFormat(root.lang, { style: "unit", unit, unitDisplay: "short" });
  // since says how long ago a moment was, or for how long what began then lasts.
  function since(then, word) {
    const seconds = Math.max(0, Math.round((Date.now() - then) / 1000));
    const [unit, size] = units.find(([, size]) => seconds >= size) || units[3];
    const n = Math.floor(seconds / size);
    return word ? word + " " + spans[unit].format(n) : relative.format(-n, unit);
  }
  function times() {
    for (const t of main.querySelectorAll("time")) {
      t.title ||= t.textContent;
      const text = since(Date.parse(t.dateTime), t.parentElement.dataset.for);
      if (t.textContent !== text) t.textContent = text;
    }
  }
  function address(part) {
    const query = new URLSearchParams(location.search);
    if (part) query.set("part", "main");
    return location.pathname + "?" + query;
  }
  function mark() {
    const part = main.querySelector("[data-state]");
    if (!part) return;
    const icon = document.getElementById("icon");
    const href = "/assets/" + part.dataset.state + ".svg";
    if (icon.getAttribute("href") !== href) icon.setAttribute("href", href);
    document.title = (part.dataset.title ? "(" + part.dataset.title + ") " : "") + "poolproof";
  }
  function replace(html) {
    const next = new DOMParser().parseFromString(html, "text/html").body;
    const open = new Set([...main.querySelectorAll("details[open]")].map(d => d.dataset.key));
    for (const d of next.querySelectorAll("details")) if (open.has(d.dataset.key)) d.open = true;
    const focus = document.activeElement && main.contains(document.activeElement) ? document.activeElement : null;
    const key = focus && (focus.id || (focus.closest("details") || {}).dataset?.key);
    const known = new Set([...main.querySelectorAll("article")].map(a => a.id));
    main.replaceChildren(...document.adoptNode(next).childNodes);
    if (shown) for (const a of main.querySelectorAll("article")) if (!known.has(a.id)) a.classList.add("fresh");
    if (key) {
      const again = document.getElementById(key) || [...main.querySelectorAll("details")].find(d => d.dataset.key === key)?.querySelector("summary");
      again?.focus({ preventScroll: true });
    }
  }
  async function update() {
    clearTimeout(timer);
    asking?.abort();
    const request = asking = new AbortController();
    const late = setTimeout(() => request.abort("late"), 10000);
    try {
      const answer = await fetch(address(true), { headers: tag ? { "If-None-Match": tag } : {}, signal: request.signal, cache: "no-store" });
      if (answer.status === 200) {
        const html = await answer.text();
        if (request !== asking) return;
        tag = answer.headers.get("ETag") || "";
        if (html !== shown) { replace(html); shown = html; mark(); }
      } else if (answer.status !== 304) throw new Error(answer.status);
      lost.hidden = true;
    } catch {
      if (request !== asking) return;
      lost.hidden = false;
    } finally {
      clearTimeout(late);
    }
    times();
    if (!document.hidden) timer = setTimeout(update, pause);
  }
  function go(query) {
    history.replaceState(null, "", location.pathname + (query.size ? "?" + query : ""));
    tag = "";
    update();
  }
  let typing = 0;
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => {
      const query = new URLSearchParams(location.search);
      for (const name of ["page", "drifts", "q"]) query.delete(name);
      if (search.value.trim()) query.set("q", search.value);
      go(query);
    }, 200);
  });
  search.form.addEventListener("submit", e => { e.preventDefault(); search.dispatchEvent(new Event("input")); });
  main.addEventListener("click", e => {
    const a = e.target.closest("a[data-turn]");
    if (!a || e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
    e.preventDefault();
    const query = new URL(a.href).searchParams;
    search.value = query.get("q") || "";
    go(query);
    document.getElementById(a.dataset.turn)?.scrollIntoView();
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) update(); });
  setInterval(times, 1000);
  root.classList.add("scripted");
  mark();
  times();
  update();
})();
