// Steps through the trace in #data. All text arrives as text: nothing here parses markup.
'use strict';
(() => {
  const byId = (id) => document.getElementById(id);
  const trace = JSON.parse(byId('data').textContent);
  const end = trace.steps.length;
  let here = -1;

  const make = (name, text, attributes) => {
    const node = document.createElement(name);
    if (text) node.textContent = text;
    for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
    return node;
  };

  // Long names break where a person would break them.
  const breakable = (text) =>
    text.split(/(?<=[_/])/).flatMap((part, k) => (k ? [make('wbr'), part] : [part]));

  // ---- left: the steps in their columns ----
  const buttons = [];
  const stepButton = (k) => {
    const step = trace.steps[k - 1];
    const button = make('button', '', {type: 'button', tabindex: '-1'});
    button.append(make('span', k + '. ', {class: 'n'}));
    if (step) {
      button.append(make('span', trace.columns[step.column], {class: 'cpu'}), ' ', ...breakable(step.text));
      button.title = step.name;
      if (step.silent) button.className = 'silent';
    } else {
      button.append('the first state');
    }
    button.addEventListener('click', () => go(k));
    buttons.push(button);
    return button;
  };
  const buildSteps = () => {
    const table = make('table'), head = make('tr'), body = make('tbody'), first = make('tr');
    for (const name of trace.columns) head.append(make('th', name, {scope: 'col'}));
    const cell = make('td', '', {colspan: trace.columns.length || 1});
    cell.append(stepButton(0));
    first.append(cell);
    body.append(first);
    trace.steps.forEach((step, k) => {
      const row = make('tr');
      trace.columns.forEach((_, c) => {
        const td = make('td');
        td.style.setProperty('--depth', step.depths[c]);
        if (c === step.column) td.append(stepButton(k + 1));
        row.append(td);
      });
      body.append(row);
    });
    if (trace.bad) for (const node of [buttons[end], byId('finding')]) node.classList.add('bad');
    const thead = make('thead');
    thead.append(head);
    table.append(thead, body);
    byId('steps').append(table);
  };

  // ---- right: the state ----
  const rows = [];
  const buildTables = () => {
    for (const table of trace.tables) {
      const section = make('section'), node = make('table'), body = make('tbody');
      section.append(make('h2', table.title));
      if (table.leaves.length) {
        const head = make('thead'), tr = make('tr');
        tr.append(make('td'));
        for (const leaf of table.leaves) tr.append(make('th', leaf, {scope: 'col'}));
        head.append(tr);
        node.append(head);
      }
      for (const row of table.rows) {
        const tr = make('tr');
        tr.append(make('th', row.name, {scope: 'row'}));
        const cells = row.cells.map((cell, c) => {
          const td = make('td');
          tr.append(td);
          return {td, cell, name: row.name + (table.leaves.length ? ' ' + table.leaves[c] : '')};
        });
        body.append(tr);
        const constant = cells.every((x) => x.cell.values.length === 1);
        rows.push({tr, section, cells, constant, news: table.news});
      }
      node.append(body);
      section.append(node);
      byId('tables').append(section);
    }
  };
  const showConstants = () => {
    const all = byId('constants').checked, seen = new Set();
    for (const row of rows) {
      row.tr.hidden = row.constant && !all;
      if (!row.tr.hidden) seen.add(row.section);
    }
    for (const row of rows) row.section.hidden = !seen.has(row.section);
  };

  // The value at state k, and the one before if it changed there.
  const valueAt = (cell, k) => {
    let i = cell.values.length - 1;
    while (cell.values[i][0] > k) --i;
    const changed = i > 0 && cell.values[i][0] === k;
    return {now: cell.values[i][1], was: changed ? cell.values[i - 1][1] : null};
  };
  const bitsOf = (text) => text.split(' ');
  const bits = (now, was) => {
    const before = new Set(bitsOf(was)), after = new Set(bitsOf(now)), nodes = [];
    for (const bit of bitsOf(now)) nodes.push(before.has(bit) ? bit : make('ins', bit), ' ');
    for (const bit of bitsOf(was)) if (!after.has(bit)) nodes.push(make('del', bit), ' ');
    return nodes;
  };
  const fill = (td, cell, value, news) => {
    td.classList.toggle('changed', value.was !== null);
    if (value.was === null || !news)
      td.replaceChildren(value.now);
    else if (cell.word)
      td.replaceChildren(...bits(value.now, value.was));
    else
      td.replaceChildren(make('del', value.was), ' \u2192 ', make('ins', value.now));
  };
  const showState = (k) => {
    const changes = [];
    let first = null;
    for (const row of rows)
      for (const {td, cell, name} of row.cells) {
        const value = valueAt(cell, k);
        fill(td, cell, value, row.news);
        if (value.was === null || !row.news) continue;
        first = first || row.tr;
        changes.push(name + ' ' + (cell.word ? 'is now ' : value.was + ' \u2192 ') + value.now);
      }
    return {changes, first};
  };

  // ---- both ----
  const describe = (k, changes) => {
    const step = trace.steps[k - 1];
    const parts = [];
    if (step) {
      parts.push('Step ' + k + ' of ' + end + ', ' + trace.columns[step.column] + ': ' + step.text + '.');
      parts.push(changes.length ? 'Changed: ' + changes.join('; ') + '.' : 'Nothing changes.');
    } else {
      parts.push('The first state, before step 1 of ' + end + '.');
    }
    if (k === end) parts.push(trace.ending, trace.culprit);
    return parts.filter(Boolean).join(' ');
  };
  // Scrolls the pane only, never the page.
  const reveal = (node, pane) => {
    const inner = node.getBoundingClientRect(), outer = pane.getBoundingClientRect(), margin = 40;
    if (inner.top < outer.top + margin) pane.scrollTop -= outer.top + margin - inner.top;
    if (inner.bottom > outer.bottom - margin) pane.scrollTop += inner.bottom - outer.bottom + margin;
  };
  const go = (wanted) => {
    const k = Math.min(Math.max(Number.isFinite(wanted) ? Math.trunc(wanted) : 0, 0), end);
    const within = byId('steps').contains(document.activeElement);
    if (k !== here) {
      if (here >= 0) buttons[here].removeAttribute('aria-current');
      if (here >= 0) buttons[here].tabIndex = -1;
      here = k;
      buttons[k].setAttribute('aria-current', 'step');
      buttons[k].tabIndex = 0;
      byId('finding').hidden = k !== end;
      const {changes, first} = showState(k);
      byId('live').textContent = describe(k, changes);
      // Not `disabled`: a button that takes itself out loses the focus.
      for (const id of ['first', 'previous']) byId(id).setAttribute('aria-disabled', k === 0);
      for (const id of ['next', 'last']) byId(id).setAttribute('aria-disabled', k === end);
      reveal(buttons[k], byId('steps'));
      if (k === end) byId('state').scrollTop = 0;
      else if (first) reveal(first, byId('state'));
      history.replaceState(null, '', '#step=' + k);
    }
    if (within) buttons[k].focus({preventScroll: true});
    byId('number').value = k;
  };
  const fromHash = () => {
    const found = /^#step=(\d+)$/.exec(location.hash);
    go(found ? Number(found[1]) : 0);
  };

  // ---- keys ----
  const moves = {
    ArrowRight: () => here + 1, ArrowDown: () => here + 1, j: () => here + 1,
    ArrowLeft: () => here - 1, ArrowUp: () => here - 1, k: () => here - 1,
    Home: () => 0, End: () => end,
  };
  let typed = '', typedAt = 0;
  const onKey = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.id === 'number') return;
    // The state may be taller than its place: there the vertical arrows scroll.
    if (event.target.id === 'state' && /^Arrow(Up|Down)$/.test(event.key)) return;
    if (/^[0-9]$/.test(event.key)) {
      const pause = event.timeStamp - typedAt > 1500;
      typed = pause ? event.key : typed + event.key;
      typedAt = event.timeStamp;
      go(Number(typed));
    } else if (Object.hasOwn(moves, event.key)) {
      typed = '';
      go(moves[event.key]());
    } else {
      return;
    }
    event.preventDefault();
  };

  buildSteps();
  buildTables();
  showConstants();
  byId('of').textContent = 'of ' + end;
  byId('number').max = end;
  byId('first').addEventListener('click', () => go(0));
  byId('previous').addEventListener('click', () => go(here - 1));
  byId('next').addEventListener('click', () => go(here + 1));
  byId('last').addEventListener('click', () => go(end));
  byId('number').addEventListener('change', (event) => go(event.target.valueAsNumber));
  byId('constants').addEventListener('change', showConstants);
  document.addEventListener('keydown', onKey);
  window.addEventListener('hashchange', fromHash);
  window.addEventListener('resize', () => reveal(buttons[here], byId('steps')));
  fromHash();
})();
