// Search, filters, buttons to copy and anchors of fields. Everything can be read without it.
'use strict'
;(() => {
  const root = document.body.dataset.root ?? ''

  /** Creates an element with text; nothing in the text becomes markup. */
  function element(name, properties = {}, ...children) {
    const made = document.createElement(name)
    for (const [key, value] of Object.entries(properties)) {
      if (key in made) made[key] = value
      else made.setAttribute(key, value)
    }
    made.append(...children)
    return made
  }

  // Search: the data is read when the field is first used.

  const input = document.querySelector('#q')
  const results = document.querySelector('#results')
  const status = document.querySelector('#found')
  const MAX_RESULTS = 30
  let index

  function loadIndex() {
    index ??= new Promise((resolve, reject) => {
      const script = element('script', {src: `${root}search-data.js`})
      script.addEventListener('load', () => resolve(prepare(globalThis.catalogData)))
      script.addEventListener('error', reject)
      document.head.append(script)
    })
    return index
  }

  function prepare({packages, kinds, fields}) {
    return [
      ...packages.map(([title, name, href, words]) => ({
        ...{kind: 0, text: title, detail: name, href},
        names: [title.toLowerCase(), name.toLowerCase(), (name.split('/').pop() ?? '').toLowerCase()],
        words: words.toLowerCase(),
      })),
      ...kinds.map(([kind, crd, own, href, title]) => ({
        ...{kind: 1, text: kind, href, detail: `${crd} in ${packages[own][0]}`},
        names: [kind.toLowerCase(), crd.toLowerCase()],
        words: title.toLowerCase(),
      })),
      ...fields.map(([field, steps]) => ({
        ...{kind: 2, text: field, steps, names: [field.toLowerCase()], words: ''},
        // Which kinds have it is worked out only for what is shown.
        places: () => placesOf(steps, kinds, packages),
        field,
      })),
    ]
  }

  function placesOf(steps, kinds, packages) {
    let at = 0
    return steps.map(step => {
      const [kind, crd, own, href] = kinds[(at += step)]
      return {href, detail: `field of ${kind} (${crd}) in ${packages[own][0]}`}
    })
  }

  /** Lower is better; undefined for no match. Names that are the text come first, then those that begin with it. */
  function rank({names, words}, text) {
    let best
    for (const name of names) {
      const at = name.indexOf(text)
      if (at < 0) continue
      const own = name === text ? 0 : at === 0 ? 1 : 2
      if (best === undefined || own < best) best = own
    }
    return best ?? (words.includes(text) ? 3 : undefined)
  }

  const MAX_PLACES = 5

  /** A field has a row for each of its first kinds. */
  function rowsOf(steps) {
    return steps === undefined ? 1 : Math.min(steps.length, MAX_PLACES)
  }

  function find(entries, query) {
    const texts = query.toLowerCase().split(/\s+/).filter(Boolean)
    if (texts.length === 0) return {total: 0, shown: []}
    const matches = []
    for (const entry of entries) {
      let sum = 0
      for (const text of texts) {
        const own = rank(entry, text)
        if (own === undefined) {
          sum = undefined
          break
        }
        sum += own
      }
      if (sum !== undefined) matches.push([sum, entry])
    }
    matches.sort(
      ([a, one], [b, other]) => a - b || one.kind - other.kind || one.text.length - other.text.length,
    )
    const total = matches.reduce((sum, [, {steps}]) => sum + rowsOf(steps), 0)
    return {total, shown: matches.slice(0, MAX_RESULTS).map(([, entry]) => entry)}
  }

  const WORDS = ['package', 'kind', 'field']

  function links(entry) {
    if (entry.places === undefined)
      return [[entry.href, entry.text, `${WORDS[entry.kind]} · ${entry.detail}`]]
    const places = entry.places()
    const others = places.length - MAX_PLACES
    const more = others > 0 ? ` · also in ${others} other ${others === 1 ? 'kind' : 'kinds'}` : ''
    return places
      .slice(0, MAX_PLACES)
      .map(({href, detail}, index) => [
        `${href}#field:${encodeURIComponent(entry.field)}`,
        entry.text,
        `${detail}${index === MAX_PLACES - 1 ? more : ''}`,
      ])
  }

  async function search() {
    const query = input.value.trim()
    const entries = await loadIndex()
    if (query !== input.value.trim()) return
    const {total, shown} = find(entries, query)
    const rows = shown.flatMap(links)
    results.replaceChildren(
      ...rows.map(([href, text, detail]) => {
        const link = element(
          'a',
          {href: `${root}${href}`},
          text,
          element('span', {className: 'quiet'}, detail),
        )
        return element('li', {}, link)
      }),
    )
    results.hidden = shown.length === 0
    const count = total === 1 ? '1 result' : `${total} results`
    status.textContent = query === '' ? '' : rows.length < total ? `${count}, ${rows.length} shown` : count
    results.dataset.query = query
  }

  function step(by) {
    const all = [...results.querySelectorAll('a')]
    const at = all.indexOf(document.activeElement) + by
    if (at < 0) input.focus()
    else all[Math.min(at, all.length - 1)]?.focus()
  }

  function close() {
    results.hidden = true
    input.focus()
  }

  if (input !== null && results !== null) {
    input.addEventListener('input', () => void search())
    input.addEventListener('focus', () => void loadIndex().then(() => input.value !== '' && search()))
    input.parentElement.addEventListener('keydown', event => {
      if (event.key === 'ArrowDown') step(1)
      else if (event.key === 'ArrowUp') step(-1)
      else if (event.key === 'Escape') close()
      else if (event.key === 'Enter' && event.target === input) results.querySelector('a')?.click()
      else return
      if (event.key !== 'Escape') event.preventDefault()
    })
    document.addEventListener('click', event => {
      if (!input.parentElement.contains(event.target)) results.hidden = true
    })
    document.addEventListener('keydown', event => {
      const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      input.focus()
    })
  }

  // Filters of the first page.

  const filters = document.querySelector('.filters')
  if (filters !== null) {
    const controls = [...filters.querySelectorAll('select, input')]
    const cards = [...document.querySelectorAll('.card')]
    const shown = document.querySelector('#shown')
    const isShownBy = ({value, dataset, tagName}, card) => {
      const own = card.dataset[dataset.filter] ?? ''
      return value === '' || (tagName === 'SELECT' ? own === value : own.includes(value.trim().toLowerCase()))
    }
    const apply = () => {
      for (const card of cards) {
        card.hidden = controls.some(control => !isShownBy(control, card))
      }
      const count = cards.filter(card => !card.hidden).length
      shown.textContent = count === 1 ? '1 package' : `${count} packages`
    }
    for (const control of controls) control.addEventListener('input', apply)
    filters.hidden = false
    apply()
  }

  // Buttons to copy.

  async function copy(text) {
    if (navigator.clipboard !== undefined) return await navigator.clipboard.writeText(text)
    const area = element('textarea', {value: text})
    document.body.append(area)
    area.select()
    document.execCommand('copy')
    area.remove()
  }

  for (const block of document.querySelectorAll('.code')) {
    const pre = block.querySelector('pre')
    const button = element(
      'button',
      {type: 'button', 'aria-label': `Copy ${pre.getAttribute('aria-label')}`},
      'Copy',
    )
    button.addEventListener('click', async () => {
      const isCopied = await copy(pre.textContent).then(
        () => true,
        () => false,
      )
      button.textContent = isCopied ? 'Copied' : 'Not copied'
      setTimeout(() => (button.textContent = 'Copy'), 1500)
    })
    block.append(button)
  }

  // Fields: an address opens what the field is in.

  for (const tools of document.querySelectorAll('.tools')) {
    tools.hidden = false
    tools.addEventListener('click', event => {
      const all = event.target.dataset?.open
      if (all === undefined) return
      for (const own of tools.parentElement.querySelectorAll('details')) own.open = all === 'all'
    })
  }

  function targetOf(hash) {
    const name = /^#field:(.*)$/.exec(hash)?.[1]
    if (name === undefined) return document.getElementById(decode(hash.slice(1)))
    const text = decode(name)
    const link = [...document.querySelectorAll('.field > div > a, .field > summary > b')].find(
      own => own.textContent === text,
    )
    return link?.closest('.field')
  }

  function decode(text) {
    try {
      return decodeURIComponent(text)
    } catch {
      return text
    }
  }

  function reveal() {
    if (location.hash.length < 2) return
    const target = targetOf(location.hash)
    if (target === undefined || target === null) return
    for (let at = target; at !== null; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true
    document.querySelector('.found')?.classList.remove('found')
    if (target.classList.contains('field')) target.classList.add('found')
    target.scrollIntoView()
  }

  addEventListener('hashchange', reveal)
  reveal()
})()
