// What a form checks of a value by its schema, and how the value becomes YAML. Objects are Maps: a field can have any name.
'use strict'
;(() => {
  const MAX_TEXT = 1000

  const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu

  /** Shows characters that hide or reorder others as escapes, as in the rest of the page. */
  function visible(text) {
    return text.replace(HIDDEN, own => (own === '\n' || own === '\t' ? own : escaped(own)))
  }

  function escaped(character) {
    const code = character.codePointAt(0).toString(16)
    return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
  }

  // Schemas.

  const own = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined)

  function typeOf(schema) {
    if (schema['x-kubernetes-int-or-string'] === true) return 'int-or-string'
    if (schema.type === 'object' || schema.properties !== undefined) {
      if (schema.properties !== undefined) return 'object'
      return typeof schema.additionalProperties === 'object' ? 'map' : 'any'
    }
    return schema.type ?? 'any'
  }

  function isOf(type, value) {
    if (typeof value === 'bigint') return ['integer', 'number', 'int-or-string', 'any'].includes(type)
    if (value instanceof Map) return ['object', 'map', 'any'].includes(type)
    if (Array.isArray(value)) return ['array', 'any'].includes(type)
    if (type === 'any') return true
    if (type === 'integer') return Number.isInteger(value)
    if (type === 'number') return typeof value === 'number' && Number.isFinite(value)
    if (type === 'int-or-string') return typeof value === 'string' || Number.isInteger(value)
    return typeof value === type
  }

  /** As the API server: it compares integers with the integer part of the factor, and rejects all if that is zero. */
  function isMultiple(value, limit) {
    if (typeof value === 'number' && !Number.isInteger(value)) return Number.isInteger(value / Number(limit))
    const factor = typeof limit === 'bigint' ? limit : BigInt(Math.trunc(limit))
    return factor > 0n && BigInt(value) % factor === 0n
  }

  const NUMBER_RULES = [
    ['minimum', (value, limit) => value >= limit, 'must be at least'],
    ['maximum', (value, limit) => value <= limit, 'must be at most'],
    ['multipleOf', isMultiple, 'must be a multiple of'],
  ]
  const LENGTH_RULES = {
    string: [value => [...value].length, 'minLength', 'maxLength', 'characters'],
    array: [value => value.length, 'minItems', 'maxItems', 'items'],
    map: [value => value.size, 'minProperties', 'maxProperties', 'entries'],
  }

  /** Returns what of a value its schema rejects, with the paths; rules in CEL are not evaluated. */
  function problemsOf(schema, value, path = '') {
    if (value === null) return schema.nullable === true ? [] : [{path, message: 'must not be null'}]
    if (value instanceof Literal) return [{path, message: `${value.text} cannot be stored exactly`}]
    const type = typeOf(schema)
    if (!isOf(type, value)) return [{path, message: `must be of type ${type === 'map' ? 'object' : type}`}]
    const messages = [
      ...enumProblems(schema, value),
      ...limitProblems(schema, value),
      ...textProblems(schema, value),
    ]
    return [...messages.map(message => ({path, message})), ...innerProblems(schema, value, path)]
  }

  function enumProblems(schema, value) {
    const values = schema.enum
    if (!Array.isArray(values)) return []
    const text = plainText(value)
    if (values.some(other => plainText(fromJson(other)) === text)) return []
    return [`must be one of ${values.map(jsonOf).join(', ')}`]
  }

  function numberProblems(schema, value) {
    return NUMBER_RULES.flatMap(([keyword, holds, words]) => {
      const limit = schema[keyword]
      if (limit === undefined) return []
      const isOut = keyword === 'minimum' ? schema.exclusiveMinimum : schema.exclusiveMaximum
      const isLimit = !(value < limit) && !(value > limit)
      if (keyword !== 'multipleOf' && isOut === true && isLimit) return [`must not be ${limit}`]
      return holds(value, limit) ? [] : [`${words} ${limit}`]
    })
  }

  function lengthRule(value) {
    if (typeof value === 'string') return LENGTH_RULES.string
    if (Array.isArray(value)) return LENGTH_RULES.array
    return value instanceof Map ? LENGTH_RULES.map : undefined
  }

  function limitProblems(schema, value) {
    if (typeof value === 'number' || typeof value === 'bigint') return numberProblems(schema, value)
    const rule = lengthRule(value)
    if (rule === undefined) return []
    const [lengthOf, least, most, words] = rule
    const length = lengthOf(value)
    return [
      ...(length < (schema[least] ?? 0) ? [`must have at least ${schema[least]} ${words}`] : []),
      ...(length > (schema[most] ?? Infinity) ? [`must have at most ${schema[most]} ${words}`] : []),
    ]
  }

  const FORMATS = {
    'date-time': /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:?\d\d)$/,
    date: /^\d{4}-\d\d-\d\d$/,
    byte: /^[A-Za-z0-9+/]*={0,2}$/,
  }

  function textProblems({pattern, format}, value) {
    if (typeof value !== 'string') return []
    const problems = []
    const shape = own(FORMATS, format ?? '')
    if (shape !== undefined && !shape.test(value)) problems.push(`must have the format ${format}`)
    if (
      pattern !== undefined &&
      value.length <= MAX_TEXT &&
      !isSlow(pattern) &&
      expressionOf(pattern)?.test(value) === false
    )
      problems.push(`must match ${pattern}`)
    return problems
  }

  /** Patterns are those of Go: one that a browser cannot read is left to the API server. */
  function expressionOf(pattern) {
    try {
      return new RegExp(pattern.replace(/\\A/g, '^').replace(/\\z/g, '$'), 'u')
    } catch {
      return undefined
    }
  }

  const ANY = {nullable: true}

  /** Reports whether only the API server checks a pattern. */
  function isCheckedLater(pattern) {
    return isSlow(pattern) || expressionOf(pattern) === undefined
  }

  /**
   * Reports whether the time of a pattern can grow exponentially: it repeats a group that has repetitions or alternatives
   * itself, unless each round begins with a character that occurs nowhere else in it. Go has no such patterns.
   */
  function isSlow(pattern) {
    const text = pattern
      .replace(/\\./g, own => (/\\[.,/:;_d-]/.test(own) ? own : WIDE))
      .replace(/\[(?:\\.|[^\]\\])*\]/g, plainClass)
    const opened = []
    for (let at = 0; at < text.length; at += 1) {
      if (text[at] === '\\') at += 1
      else if (text[at] === '(') opened.push(at)
      else if (text[at] === ')') {
        const body = text.slice((opened.pop() ?? 0) + 1, at).replace(/^\?(?::|<?[=!]|P?<\w+>)/, '')
        if (/^(?:[*+]|\{\d*,?(?!1?\})\d*\})/.test(text.slice(at + 1)) && isAmbiguous(body)) return true
      }
    }
    return false
  }

  /** Stands for what can be any character. */
  const WIDE = '\\x'

  /** A class without characters that are not special in it. */
  function plainClass(text) {
    return /[()*+?{}|]-|-[()*+?{}|]/.test(text) ? WIDE : text.replace(/[()*+?{}|]/g, 'x')
  }

  function isAmbiguous(body) {
    if (!/[*+?{|]/.test(body.replace(/\(\?/g, '('))) return false
    const [, first, rest = ''] = /^(\\\.|\\?[,/:;_-])(.*)$/.exec(body) ?? []
    return first === undefined || canContain(rest, first.slice(-1))
  }

  /** Reports whether what a part of a pattern matches can contain a character; in doubt it can. */
  function canContain(part, character) {
    if (part.includes(character) || /\[\^|\\x|\||(?<!\\)\./.test(part)) return true
    return [...part.matchAll(/(?=(.)-(.))/g)].some(([, from, to]) => from <= character && character <= to)
  }

  function innerProblems(schema, value, path) {
    if (Array.isArray(value)) {
      const items = value.flatMap((item, index) => problemsOf(schema.items ?? ANY, item, `${path}[${index}]`))
      const texts = value.map(plainText)
      const isSet = schema.uniqueItems === true || schema['x-kubernetes-list-type'] === 'set'
      return isSet && new Set(texts).size < texts.length
        ? [{path, message: 'must not have equal items'}, ...items]
        : items
    }
    if (!(value instanceof Map)) return []
    const properties = schema.properties ?? {}
    const missing = (schema.required ?? []).filter(
      name => !value.has(name) && own(properties, name)?.default === undefined,
    )
    return [
      ...missing.map(name => ({path: join(path, name), message: 'is required'})),
      ...[...value].flatMap(([name, inner]) => {
        const at =
          own(properties, name) ??
          (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined)
        return problemsOf(at ?? ANY, inner, join(path, name))
      }),
    ]
  }

  function plainText(value) {
    return JSON.stringify(value, (_key, inner) => {
      if (typeof inner === 'bigint') return {integer: String(inner)}
      return inner instanceof Map ? {object: [...inner].sort()} : inner
    })
  }

  const join = (path, name) => (path === '' ? name : `${path}.${name}`)

  // Values.

  /** A number that a double cannot hold: it is written as it is, and reported. */
  class Literal {
    constructor(text) {
      this.text = text
    }
  }

  const INTEGER = /^-?(?:0|[1-9]\d*)$/
  const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i
  const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n]

  /** Returns a number that keeps each digit of its text; integers of 64 bits are exact. */
  function numberOf(text) {
    if (INTEGER.test(text)) {
      if (Number.isSafeInteger(Number(text))) return Number(text)
      if (text.length > 20) return new Literal(text)
      const integer = BigInt(text)
      return integer < LEAST || integer > MOST ? new Literal(text) : integer
    }
    const value = Number(text)
    return Number.isFinite(value) && digitsOf(text) === digitsOf(String(value)) ? value : new Literal(text)
  }

  /** The digits of a number and their place, the same for each way to write it. */
  function digitsOf(text) {
    const [, integer = '', fraction = '', exponent = '0'] =
      /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
    const digits = `${integer}${fraction}`.replace(/^0+/, '')
    const significant = digits.replace(/0+$/, '')
    return significant === ''
      ? '0'
      : `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
  }

  /** Returns what a text in a form stands for in a field of a type; the text itself if it stands for nothing else. */
  function parsed(type, text) {
    if (type === 'string') return text
    if (type === 'int-or-string') return INTEGER.test(text) ? numberOf(text) : text
    if (type === 'integer' || type === 'number') return NUMBER.test(text) ? numberOf(text) : text
    try {
      JSON.parse(text)
      return exactly(JSON.parse(text.replace(TOKEN, marked)))
    } catch {
      return text
    }
  }

  const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

  /** Marks texts and numbers, so that both can be parsed as texts. */
  function marked(token) {
    return token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`
  }

  function exactly(value) {
    if (typeof value === 'string') return value.startsWith('n') ? numberOf(value.slice(1)) : value.slice(1)
    if (Array.isArray(value)) return value.map(exactly)
    if (value === null || typeof value !== 'object') return value
    return new Map(Object.entries(value).map(([name, inner]) => [name.slice(1), exactly(inner)]))
  }

  // YAML.

  const WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i

  function scalar(value) {
    if (value instanceof Literal) return value.text
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'string') return JSON.stringify(value)
    return /^[A-Za-z][\w./-]*$/.test(value) && !WORDS.test(value)
      ? value
      : JSON.stringify(value).replace(HIDDEN, escaped)
  }

  /** Writes a value as YAML: objects are Maps. */
  function yamlOf(value, indent = '') {
    if (value instanceof Map) {
      return [...value].map(([name, inner]) => `${indent}${scalar(name)}:${after(inner, indent)}`).join('')
    }
    return value.map(item => itemOf(item, indent)).join('')
  }

  function isEmpty(value) {
    return value instanceof Map ? value.size === 0 : value.length === 0
  }

  function isScalar(value) {
    return value === null || typeof value !== 'object' || value instanceof Literal
  }

  function after(value, indent) {
    if (isScalar(value)) return ` ${scalar(value)}\n`
    if (isEmpty(value)) return value instanceof Map ? ' {}\n' : ' []\n'
    return `\n${yamlOf(value, Array.isArray(value) ? indent : `${indent}  `)}`
  }

  function itemOf(item, indent) {
    if (isScalar(item)) return `${indent}- ${scalar(item)}\n`
    if (isEmpty(item)) return `${indent}- ${item instanceof Map ? '{}' : '[]'}\n`
    return `${indent}- ${yamlOf(item, `${indent}  `).slice(indent.length + 2)}`
  }

  /** Returns a value of JSON with Maps for objects. */
  function fromJson(value) {
    if (Array.isArray(value)) return value.map(fromJson)
    if (value === null || typeof value !== 'object') return value
    return new Map(Object.entries(value).map(([name, inner]) => [name, fromJson(inner)]))
  }

  /** Reads the data of a page, in which integers beyond those of JSON are marked. */
  function readData(text) {
    return JSON.parse(text, (_name, value) => {
      const [only, ...others] = value !== null && typeof value === 'object' ? Object.keys(value) : []
      if (only !== '$integer' || others.length > 0) return value
      const {$integer: text} = value
      return typeof text === 'string' && INTEGER.test(text) ? BigInt(text) : value
    })
  }

  /** As `JSON.stringify`, which has no integers of 64 bits. */
  function jsonOf(value) {
    if (typeof value === 'bigint') return String(value)
    if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`
    if (value === null || typeof value !== 'object') return JSON.stringify(value)
    const entries = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${jsonOf(inner)}`)
    return `{${entries.join(',')}}`
  }

  globalThis.catalogForm = {
    ...{problemsOf, yamlOf, fromJson, visible, own, typeOf, join, readData, jsonOf},
    ...{parsed, isCheckedLater},
  }
})()
