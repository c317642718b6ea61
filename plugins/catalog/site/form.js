// A form for objects of a kind, made of its schema. Objects are Maps: a field can have any name.
'use strict'
;(() => {
  const {problemsOf, yamlOf, visible, own, typeOf, join, parsed, isCheckedLater, readData, jsonOf} =
    globalThis.catalogForm

  function element(name, properties = {}, ...children) {
    const made = document.createElement(name)
    for (const [key, value] of Object.entries(properties)) {
      if (value === undefined) continue
      if (key in made) made[key] = value
      else made.setAttribute(key, value)
    }
    made.append(...children.map(child => (typeof child === 'string' ? visible(child) : child)))
    return made
  }

  // Editors: each returns its element and a function for its value, which is undefined for nothing.

  let number = 0
  /** The inputs by the paths of their fields, for what is wrong with them. */
  const places = new Map()
  let changed = () => undefined

  function entry(label, {help, isRequired}, control) {
    const id = `f${(number += 1)}`
    control.id = id
    const notes = element('p', {className: 'help', id: `${id}-help`}, help)
    const problem = element('p', {className: 'problem', id: `${id}-problem`, hidden: true})
    control.setAttribute('aria-describedby', `${id}-help ${id}-problem`)
    if (isRequired) control.setAttribute('aria-required', 'true')
    const mark = isRequired ? [' ', element('span', {className: 'required'}, 'required')] : []
    const shown = element(
      'div',
      {className: 'entry'},
      element('label', {htmlFor: id}, label, ...mark),
      notes,
      control,
      problem,
    )
    return {shown, control, problem}
  }

  /** As pages of kinds say them. */
  const LIMITS = [
    ['minimum', 'minimum'],
    ['maximum', 'maximum'],
    ['minLength', 'minimum length'],
    ['maxLength', 'maximum length'],
    ['pattern', 'pattern'],
    ['format', 'format'],
  ]

  /** As pages of kinds do: the lines of a paragraph are joined. */
  function unwrapped(text) {
    return text.replace(/^(.{49,}[^:\n])\n(?![-*+#|>\s]|\d+[.)]|$)/gm, '$1 ')
  }

  function helpOf(schema, hint) {
    const parts = [hint?.help, schema.description]
      .filter(text => typeof text === 'string' && text !== '')
      .map(unwrapped)
    if (schema === NAME)
      return [...parts, 'At most 253 lowercase letters, digits, hyphens and dots.'].join('\n')
    const limits = LIMITS.flatMap(([name, words]) =>
      schema[name] === undefined ? [] : [`${words} ${schema[name]}`],
    )
    if (schema.pattern !== undefined && isCheckedLater(schema.pattern))
      limits.push('pattern checked by the API server')
    if (schema.default !== undefined) limits.unshift(`default ${jsonOf(schema.default)}`)
    return [...parts, limits.join(', ')].filter(text => text !== '').join('\n')
  }

  function scalarEditor(name, schema, {pathOf, isRequired, hint}) {
    const type = typeOf(schema)
    const values = hint?.values ?? valuesFor(type, schema)
    const control = values === undefined ? inputFor(type) : selectOf(values)
    const isMarked = isRequired || hint?.isRequired === true
    const {shown, problem} = entry(
      hint?.title || name,
      {help: helpOf(schema, hint), isRequired: isMarked},
      control,
    )
    begin(control, hint?.first, values)
    control.addEventListener('input', () => changed())
    const valueOf = () => {
      places.set(pathOf(), {control, problem})
      if (control.value === '') return undefined
      return parsed(values === undefined ? type : 'any', control.value)
    }
    return {shown, valueOf}
  }

  function valuesFor(type, schema) {
    return schema.enum ?? (type === 'boolean' ? [true, false] : undefined)
  }

  function begin(control, first, values) {
    if (first === undefined) return
    const isText = values === undefined && typeof first === 'string'
    control.value = isText ? first : jsonOf(first)
  }

  function inputFor(type) {
    if (type === 'any' || type === 'map')
      return element('textarea', {rows: 3, spellcheck: false, placeholder: 'JSON'})
    const isNumber = type === 'integer' || type === 'number'
    return element('input', {
      type: 'text',
      inputMode: isNumber ? 'decimal' : 'text',
      autocomplete: 'off',
      spellcheck: false,
    })
  }

  function selectOf(values) {
    const options = values.map(value => {
      const text = typeof value === 'string' ? value : jsonOf(value)
      return element('option', {value: jsonOf(value)}, text)
    })
    return element('select', {}, element('option', {value: ''}, ''), ...options)
  }

  /** Fields are made when the object is first opened: kinds have thousands. */
  function objectEditor(name, schema, place) {
    let fields
    const body = element('div')
    const mark = place.isRequired ? [' ', element('span', {className: 'required'}, 'required')] : []
    const help =
      schema.description === undefined
        ? []
        : [element('p', {className: 'help'}, unwrapped(schema.description))]
    const shown = element(
      'details',
      {},
      element('summary', {}, place.hint?.title || name, ...mark),
      ...help,
      body,
    )
    const fill = () => {
      if (fields !== undefined) return
      fields = fieldEditors(schema, place.pathOf)
      body.append(...shownOf(fields))
    }
    shown.addEventListener('toggle', () => {
      fill()
      changed()
    })
    if (place.isRequired || place.isOpen) {
      fill()
      shown.open = true
    }
    const valueOf = () => {
      const value = valuesOf(fields ?? [])
      return value.size === 0 && !place.isRequired ? undefined : value
    }
    return {shown, valueOf}
  }

  function valuesOf(fields) {
    return new Map(
      fields.flatMap(([name, editor]) => {
        const value = editor.valueOf()
        return value === undefined ? [] : [[name, value]]
      }),
    )
  }

  /** Required fields come first, then those that the authors of the package name, in their order. */
  function fieldEditors(schema, pathOf) {
    const path = pathOf()
    const required = new Set(schema.required ?? [])
    const rank = ([name]) => {
      if (path === '' && name === 'metadata') return -1
      const at = hints.findIndex(
        hint => hint.path === join(path, name) || hint.path.startsWith(`${join(path, name)}.`),
      )
      if (at >= 0) return at
      return hints.length + (required.has(name) ? 0 : 1)
    }
    return Object.entries(schema.properties ?? {})
      .sort((a, b) => rank(a) - rank(b))
      .map(([name, inner]) => {
        const at = join(path, name)
        const hint = hints.find(own => own.path === at)
        const isOnTheWay = hints.some(own => own.path.startsWith(`${at}.`))
        const made = editor(name, inner, {
          ...{pathOf: () => join(pathOf(), name), isRequired: required.has(name), isOpen: isOnTheWay},
          hint,
        })
        return [name, {...made, section: hint?.section ?? ''}]
      })
  }

  /** The fields of a section stand together below its title. */
  function shownOf(fields) {
    const all = []
    let last = ''
    for (const [, {shown, section}] of fields) {
      if (section === '') all.push(shown)
      else if (section === last) all.at(-1).append(shown)
      else all.push(element('fieldset', {className: 'section'}, element('legend', {}, section), shown))
      last = section
    }
    return all
  }

  function button(text, label, act) {
    const made = element('button', {type: 'button', 'aria-label': label}, text)
    made.addEventListener('click', () => {
      act()
      changed()
    })
    return made
  }

  function listEditor(name, schema, {pathOf, isRequired, hint}) {
    const rows = []
    const body = element('div')
    const label = index => `${name} ${index + 1}`
    const add = button('Add', `Add to ${name}`, () => {
      // Rows above can be removed later.
      const row = {index: rows.length}
      row.inner = editor(label(rows.length), schema.items ?? {}, {
        pathOf: () => `${pathOf()}[${row.index}]`,
        isRequired: true,
      })
      const {shown: inner} = row.inner
      const holder = element('div', {className: 'row'}, inner)
      row.title = inner.querySelector('label, summary, legend').firstChild
      const remove = button('Remove', `Remove from ${name}`, () => {
        rows.splice(rows.indexOf(row), 1)
        for (const [index, {title}] of rows.entries()) title.textContent = visible(label(index))
        holder.remove()
        add.focus()
      })
      holder.append(remove)
      rows.push(row)
      body.append(holder)
      holder.querySelector('input, select, textarea')?.focus()
    })
    const legend = element(
      'legend',
      {},
      hint?.title || name,
      ...(isRequired ? [' ', element('span', {className: 'required'}, 'required')] : []),
    )
    const shown = element(
      'fieldset',
      {},
      legend,
      element('p', {className: 'help'}, helpOf(schema, hint)),
      body,
      add,
    )
    const valueOf = () => {
      const values = []
      for (const row of rows) {
        // A row without a value is not in the YAML.
        row.index = values.length
        const value = row.inner.valueOf()
        if (value !== undefined) values.push(value)
      }
      return values.length === 0 ? undefined : values
    }
    return {shown, valueOf}
  }

  function mapEditor(name, schema, {pathOf, hint}) {
    const rows = []
    const body = element('div')
    const add = button('Add', `Add to ${name}`, () => {
      const key = element('input', {
        type: 'text',
        'aria-label': `Key in ${name}`,
        placeholder: 'key',
        autocomplete: 'off',
      })
      key.addEventListener('input', () => changed())
      const row = {
        key,
        inner: editor('Value', schema.additionalProperties, {
          pathOf: () => join(pathOf(), key.value),
          isRequired: true,
        }),
      }
      const holder = element('div', {className: 'row'}, key, row.inner.shown)
      const remove = button('Remove', `Remove from ${name}`, () => {
        rows.splice(rows.indexOf(row), 1)
        holder.remove()
        add.focus()
      })
      holder.append(remove)
      rows.push(row)
      body.append(holder)
      key.focus()
    })
    const shown = element(
      'fieldset',
      {},
      element('legend', {}, hint?.title || name),
      element('p', {className: 'help'}, helpOf(schema, hint)),
      body,
      add,
    )
    const valueOf = () => {
      const entries = rows
        .filter(({key}) => key.value !== '')
        .map(({key, inner}) => [key.value, inner.valueOf() ?? ''])
      return entries.length === 0 ? undefined : new Map(entries)
    }
    return {shown, valueOf}
  }

  const EDITORS = {object: objectEditor, array: listEditor, map: mapEditor}

  function editor(name, schema, place) {
    return (own(EDITORS, typeOf(schema)) ?? scalarEditor)(name, schema, place)
  }

  // The page.

  const place = document.querySelector('#form')
  const data = document.querySelector('#form-data')
  let hints = []
  if (place === null || data === null) return
  const {apiVersion, kind, schema: whole, hints: ownHints} = readData(data.textContent)
  hints = ownHints

  const NAME = whole.properties.metadata.properties.name
  const fields = fieldEditors({...whole, required: [...whole.required, 'spec']}, () => '')
  const output = element('code')
  const pre = element('pre', {tabIndex: 0, 'aria-label': 'YAML'}, output)
  const problems = element('ul', {className: 'rules'})
  const summary = element('p', {role: 'status'})
  const copy = element('button', {type: 'button'}, 'Copy YAML')
  copy.addEventListener('click', () => {
    getSelection().selectAllChildren(output)
    const isCopied = document.execCommand('copy')
    copy.textContent = isCopied ? 'Copied' : 'Selected: copy it'
    setTimeout(() => (copy.textContent = 'Copy YAML'), 1500)
  })
  const result = element(
    'div',
    {className: 'result'},
    element('h2', {}, 'YAML'),
    copy,
    pre,
    summary,
    problems,
  )
  const inputs = element('div', {}, element('h2', {}, 'Fields'), ...shownOf(fields))

  changed = () => {
    for (const {control, problem} of places.values()) {
      control.removeAttribute('aria-invalid')
      problem.hidden = true
    }
    places.clear()
    const value = valuesOf(fields)
    const all = problemsOf(whole, value)
    output.textContent = yamlOf(new Map([['apiVersion', apiVersion], ['kind', kind], ...value]))
    summary.textContent =
      all.length === 0 ? 'Nothing is missing.' : all.length === 1 ? '1 problem:' : `${all.length} problems:`
    problems.replaceChildren(
      ...all
        .slice(0, 50)
        .map(({path, message}) => element('li', {}, element('code', {}, path), ` ${message}`)),
    )
    for (const {path, message} of all) {
      const at = places.get(path)
      // What is not filled in yet is only listed.
      if (at === undefined || at.control.value === '') continue
      at.control.setAttribute('aria-invalid', 'true')
      at.problem.textContent = visible(message)
      at.problem.hidden = false
    }
  }
  changed()
  place.append(inputs, result)
})()
