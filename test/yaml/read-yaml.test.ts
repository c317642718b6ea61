import {describe, expect, it} from '@jest/globals'
import {documents, refusal, values} from './yaml-text.js'

describe('the documents of a stream', () => {
  it.each([
    {name: 'nothing', in: '', want: []},
    {name: 'blanks', in: ' \n\n  ', want: []},
    {name: 'comments', in: '# a\n  # b\n', want: []},
    {name: 'one', in: 'a: 1', want: [{a: 1}]},
    {name: 'a blank line and a marker first', in: '\n---\na: 1\n', want: [{a: 1}]},
    {name: 'several', in: 'a: 1\n---\nb: 2\n---\nc: 3\n', want: [{a: 1}, {b: 2}, {c: 3}]},
    {
      name: 'empty ones between',
      in: '---\n---\na: 1\n---\n# c\n---\n~\n---\nnull\n---\nb: 2\n---\n',
      want: [{a: 1}, {b: 2}],
    },
    {name: 'ends that are marked', in: 'a: 1\n...\n---\nb: 2\n...\n...\n', want: [{a: 1}, {b: 2}]},
    {name: 'a directive', in: '%YAML 1.1\n---\na: 1\n', want: [{a: 1}]},
    {name: 'text beside the marker', in: '--- a\n--- "b"\n--- |\n  c\n', want: ['a', 'b', 'c\n']},
    {
      name: 'scalars and lists',
      in: '1\n---\n[a]\n---\n- b\n---\nfalse\n---\n""\n',
      want: [1, ['a'], ['b'], false, ''],
    },
    {
      name: 'JSON',
      in: '{"a": [1, 2.5, null, true], "b": "\\u00e9\\/\\ud83d\\ude00"}',
      want: [{a: [1, 2.5, null, true], b: 'é/😀'}],
    },
    {name: 'JSON with tabs', in: '{\n\t"a": [\n\t\t1\n\t]\n}\n', want: [{a: [1]}]},
  ])('$name', ({in: text, want}) => {
    expect(values(text)).toStrictEqual(want)
  })
})

describe('the structure of a document', () => {
  it.each([
    {name: 'lists in the column of their key', in: 'a:\n- b\n- c\nd: e\n', want: {a: ['b', 'c'], d: 'e'}},
    {
      name: 'lists of mappings',
      in: '- a: 1\n  b: 2\n-   c: 3\n    d: 4\n',
      want: [
        {a: 1, b: 2},
        {c: 3, d: 4},
      ],
    },
    {name: 'lists of lists', in: '- - a\n  - b\n-\n  - c\n', want: [['a', 'b'], ['c']]},
    {
      name: 'values left out',
      in: 'a:\nb:\n- \n-\nc: {d, e: }\n',
      want: {a: null, b: [null, null], c: {d: null, e: null}},
    },
    {name: 'lines that fold', in: 'a: b\n  c\n\n  d\ne: "f\n  g\n\n  h"\n', want: {a: 'b c\nd', e: 'f g\nh'}},
    {
      name: 'literal and folded text',
      in: 'a: |\n  b\n   c\n\n  d\ne: >-\n  f\n  g\n\n  h\n',
      want: {a: 'b\n c\n\nd\n', e: 'f g\nh'},
    },
    {name: 'text that keeps its end', in: 'a: |+\n  b\n\n\nc: |-\n  d\n\n', want: {a: 'b\n\n\n', c: 'd'}},
    {name: 'text with an indentation of its own', in: 'a: |2\n    b\n', want: {a: '  b\n'}},
    {name: 'text at the end of a file without a line break', in: 'a: |\n  b', want: {a: 'b'}},
    {name: 'kept text there', in: 'a: |+\n  b\n  ', want: {a: 'b\n'}},
    {name: 'explicit keys', in: '? a\n: b\n? c\n', want: {a: 'b', c: null}},
    {name: 'a mapping within brackets', in: '[a: 1, "b": 2, "c":3]', want: [{a: 1}, {b: 2}, {c: 3}]},
    {name: 'words with signs in brackets', in: '[a:1, b#c, -d, e-f]', want: ['a:1', 'b#c', '-d', 'e-f']},
    {name: 'comments', in: 'a: 1 # one\n# two\nb: "#" #three\n', want: {a: 1, b: '#'}},
    {
      name: 'escapes',
      in: `a: "\\x41\\u00e9\\U0001F600\\n\\t\\"\\\\\\0\\e\\N\\_\\L\\P"`,
      want: {a: 'Aé😀\n\t"\\\0\x1b\x85\xa0\u2028\u2029'},
    },
    {
      name: 'lines joined by a backslash',
      in: 'a: "b\\\n  c\\\n\n\n  d\\\\\n\n  e"',
      want: {a: 'bc\n\nd\\\ne'},
    },
    {
      name: 'prototypes',
      in: '__proto__: {a: 1}\nconstructor: b\n',
      want: JSON.parse('{"__proto__": {"a": 1}, "constructor": "b"}') as object,
    },
  ])('$name', ({in: text, want}) => {
    expect(values(text)).toStrictEqual([want])
  })

  it.each([
    {name: 'a bracket in the column of its key', in: 'a: [\n  b\n]\nc: {\n}\n', want: {a: ['b'], c: {}}},
    {
      name: 'items in that column',
      in: 'a:\n  b: [\n  c,\n  d\n  ]\n  e: f\n',
      want: {a: {b: ['c', 'd'], e: 'f'}},
    },
    {
      name: 'everything at the margin',
      in: 'a:\n  b: {\n"c": [\n1,\n2\n],\n"d": "e"\n}\nf: g\n',
      want: {a: {b: {c: [1, 2], d: 'e'}}, f: 'g'},
    },
    {name: 'quotes', in: 'a:\n  b: "c\nd\n\ne"\n  f: \'g\nh\'\n', want: {a: {b: 'c d\ne', f: 'g h'}}},
    {name: 'within a list', in: '- [\n]\n- a: "b\nc"\n  d: e\n', want: [[], {a: 'b c', d: 'e'}]},
    {name: 'tabs', in: 'a: {\n\t"b": 1\n}\n', want: {a: {b: 1}}},
    {name: 'comments between', in: 'a: [\n# b\n1,\n# c\n\n2\n# d\n]\n# e\nf: g\n', want: {a: [1, 2], f: 'g'}},
    {
      name: 'many lines',
      in: `a: [\n${'1,\n'.repeat(3000)}]\nb: c\n`,
      want: {a: Array.from({length: 3000}, () => 1), b: 'c'},
    },
    {
      name: 'many lists',
      in: `a:\n${'- b: [\n  c\n]\n'.repeat(100)}`,
      want: {a: Array.from({length: 100}, () => ({b: ['c']}))},
    },
  ])('reads indentation less than that of its block within brackets or quotes: $name', ({in: text, want}) => {
    expect(values(text)).toStrictEqual([want])
  })

  it.each([
    {
      name: 'a file with byte order mark and CRLF',
      in: '\ufeffa: 1\r\nb: |\r\n  c\r\n  d\r\n',
      want: [{a: 1, b: 'c\nd\n'}],
    },
    {
      name: 'files put together with their marks',
      in: '\ufeffa: 1\n---\n\ufeffb: 2\n',
      want: [{a: 1}, {b: 2}],
    },
    {name: 'lines that end in CR alone', in: 'a: 1\rb: 2\r', want: [{a: 1, b: 2}]},
    {name: 'other scripts', in: 'ключ: 値\n"é": 😀\n', want: [{ключ: '値', é: '😀'}]},
  ])('$name', ({in: text, want}) => {
    expect(values(text)).toStrictEqual(want)
  })
})

describe('anchors and merges', () => {
  it.each([
    {name: 'an alias repeats', in: 'a: &x [1]\nb: *x\n', want: {a: [1], b: [1]}},
    {
      name: 'a redefined name has the newer value',
      in: 'a: &x 1\nb: *x\nc: &x 2\nd: *x\n',
      want: {a: 1, b: 1, c: 2, d: 2},
    },
    {name: 'also within the older one', in: 'a: &x [&x 1, *x]\nb: *x\n', want: {a: [1, 1], b: 1}},
    {
      name: 'null can be repeated',
      in: 'a: &x\nb: *x\nc: &y ~\nd: [*y]\n',
      want: {a: null, b: null, c: null, d: [null]},
    },
    {name: 'a key has an anchor', in: '&x a: &y 1\nb: *x\n*y : c\n', want: {a: 1, b: 'a', '1': 'c'}},
    {
      name: 'an alias is a key',
      in: 'a: &x yes\n*x : 1\nb: &y 1e6\n? *y\n: 2\n',
      want: {a: true, true: 1, b: 1e6, '1e+06': 2},
    },
    {
      name: 'a merge yields to what follows',
      in: 'a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n',
      want: {a: {b: 1, c: 2}, d: {b: 1, c: 3}},
    },
    {
      name: 'and replaces earlier values',
      in: 'a: &x {b: 1, c: 2}\nd:\n  c: 3\n  <<: *x\n',
      want: {a: {b: 1, c: 2}, d: {b: 1, c: 2}},
    },
    {
      name: 'the earlier of several counts',
      in: 'a: {<<: [{b: 1, c: 1}, {c: 2, d: 2}]}',
      want: {a: {b: 1, c: 1, d: 2}},
    },
    {
      name: 'a merge within a merge',
      in: 'a: &x {b: 1}\nc: &y {<<: *x, d: 2}\ne: {<<: *y}\n',
      want: {a: {b: 1}, c: {b: 1, d: 2}, e: {b: 1, d: 2}},
    },
    {name: 'two merges: the later counts', in: 'a:\n  <<: {b: 1}\n  <<: {b: 2}\n', want: {a: {b: 2}}},
    {name: 'nothing to merge', in: 'a: {<<: [], b: 1}', want: {a: {b: 1}}},
    {name: 'tagged merges', in: 'a: {!!merge "<<": {b: 1}, ! "<<": {c: 2}}', want: {a: {b: 1, c: 2}}},
    {name: 'a quoted << is a key', in: 'a: {"<<": 1}', want: {a: {'<<': 1}}},
    {name: 'so is one with another tag', in: 'a: {!!str <<: 1}', want: {a: {'<<': 1}}},
    {name: 'and an alias to one', in: 'a: &x <<\nb: {*x : 1}', want: {a: '<<', b: {'<<': 1}}},
    {
      name: '__proto__ merges as a key',
      in: 'a: {<<: {__proto__: 1}}',
      want: {a: JSON.parse('{"__proto__": 1}') as object},
    },
  ])('$name', ({in: text, want}) => {
    expect(values(text)).toStrictEqual([want])
  })

  it.each([
    {name: 'an unknown anchor', in: 'a: 1\nb: *x\n', want: 'yaml-syntax:2'},
    {name: 'one of another document', in: 'a: &x 1\n---\nb: *x\n', want: 'yaml-syntax:3'},
    {name: 'a value that contains itself', in: 'a: &x\n  b:\n  - *x\n', want: 'yaml-alias-cycle:3'},
    {name: 'a mapping that merges itself', in: 'a: &x\n  <<: *x\n', want: 'yaml-alias-cycle:2'},
    {name: 'a merge of text', in: 'a: b\n<<: c\n', want: 'yaml-key:2'},
    {name: 'a merge of nothing', in: 'a: b\n<<:\n', want: 'yaml-key:2'},
    {name: 'a merge of a list of text', in: 'a: b\n<<: [{}, c]\n', want: 'yaml-key:2'},
    {name: 'an alias to a list as a key', in: 'a: &x [1]\n*x : 2\n', want: 'yaml-key:2'},
    {name: 'an alias with a tag', in: 'a: &x 1\nb: !!str *x\n', want: 'yaml-syntax:2'},
  ])('rejects $name', ({in: text, want}) => {
    expect(refusal(text)).toBe(want)
  })
})

describe('invalid YAML', () => {
  it.each([
    {name: 'a value after a value', in: 'a: 1\nb: c: d\n', want: 'yaml-syntax:2'},
    {name: 'a bracket that is never closed', in: 'a: [1,\n  2\n', want: 'yaml-syntax:3'},
    {name: 'a quote that is never closed', in: 'a: "b\n', want: 'yaml-syntax:2'},
    {name: 'a tab as indentation', in: 'a:\n\tb: 1\n', want: 'yaml-syntax:2'},
    {name: 'a line too far left', in: 'a:\n  b: 1\n c: 2\n', want: 'yaml-syntax:3'},
    {name: 'a key without colon', in: 'a: 1\nb\nc: 2\n', want: 'yaml-syntax:3'},
    {name: 'a template', in: 'a: 1\n{{ .Values.b }}\n', want: 'yaml-syntax:2'},
    {
      name: 'a mistake behind lines that had to be moved',
      in: 'a: [\n1,\n2\n]\nb: c: d\n',
      want: 'yaml-syntax:5',
    },
    {name: 'a mistake within them', in: 'a: [\n1,\n2 3: 4: 5\n,]\nb: c\n', want: 'yaml-syntax:3'},
    {name: 'a document that ends within brackets', in: 'a: [\n1,\n---\nb: ]\n', want: 'yaml-syntax:3'},
    {name: 'another version', in: '%YAML 2.0\n---\na: 1\n', want: 'yaml-syntax:2'},
    {name: 'an invalid escape', in: 'a: 1\nb: "\\q"\n', want: 'yaml-syntax:2'},
    {name: 'a colon that YAML 1.2 reads as a mapping', in: 'a: 1\nb: [c:]\n', want: 'yaml-syntax:2'},
  ])('rejects $name', ({in: text, want}) => {
    expect(refusal(text)).toBe(want)
  })
})

describe('invalid text', () => {
  it.each([
    {
      name: 'bytes that are not UTF-8',
      in: Uint8Array.from([0x61, 0x3a, 0x0a, 0x62, 0xff]),
      want: 'yaml-encoding:2',
    },
    {name: 'a sequence cut short', in: Uint8Array.from([0x61, 0x3a, 0x20, 0xc3]), want: 'yaml-encoding:1'},
    {
      name: 'a surrogate in UTF-8',
      in: Uint8Array.from([0x61, 0x3a, 0x20, 0xed, 0xa0, 0x80, 0x0a]),
      want: 'yaml-encoding:1',
    },
    {
      name: 'UTF-16, little end first',
      in: Uint8Array.from([0xff, 0xfe, 0x61, 0x00]),
      want: 'yaml-encoding:1',
    },
    {name: 'UTF-16, big end first', in: Uint8Array.from([0xfe, 0xff, 0x00, 0x61]), want: 'yaml-encoding:1'},
    {name: 'UTF-16 without a mark', in: Uint8Array.from([0x61, 0x00, 0x3a, 0x00]), want: 'yaml-encoding:1'},
    {name: 'NUL', in: 'a: 1\nb: \0\n', want: 'yaml-encoding:2'},
    {name: 'a control character', in: 'a: 1\n# \x1b[31m\n', want: 'yaml-encoding:2'},
    {name: 'DEL', in: 'a: "\x7f"\n', want: 'yaml-encoding:1'},
    {name: 'a line break of YAML 1.1 only', in: 'a: b\u2028c\n', want: 'yaml-encoding:1'},
    {name: 'another', in: 'a: 1\nb: c\x85d\n', want: 'yaml-encoding:2'},
    {name: 'no character', in: 'a: \uffff\n', want: 'yaml-encoding:1'},
    {name: 'half a character', in: 'a: 1\nb: "\\ud800"\n', want: 'yaml-encoding:2'},
    {name: 'the wrong half first', in: 'a: "\\udc00\\ud800"\n', want: 'yaml-encoding:1'},
    {name: 'a code beyond Unicode', in: 'a: "\\\\U \\U00110000"\n', want: 'yaml-encoding:1'},
    {name: 'one far beyond', in: 'a: "\\UFFFFFFFF"\n', want: 'yaml-encoding:1'},
  ])('rejects $name', ({in: given, want}) => {
    expect(refusal(given)).toBe(want)
  })
})

describe('duplicate keys', () => {
  const duplicates = (text: string) => documents(text).map(document => document.duplicateKeys)

  it.each([
    {name: 'none', in: 'a: 1\nb: {a: 2}\n', want: [[]]},
    {name: 'one', in: 'a: 1\na: 2\n', want: [[{path: ['a'], line: 2}]]},
    {
      name: 'deep ones',
      in: 'a:\n- b: 1\n  c:\n    d: 1\n    d: 2\n  b: 2\n',
      want: [
        [
          {path: ['a', 0, 'c', 'd'], line: 5},
          {path: ['a', 0, 'b'], line: 6},
        ],
      ],
    },
    {name: 'in brackets', in: 'a: [{}, {b: 1, b: 2}]\n', want: [[{path: ['a', 1, 'b'], line: 1}]]},
    {
      name: 'equal only as JSON',
      in: '1: a\n"1": b\n0x1: c\n',
      want: [
        [
          {path: ['1'], line: 2},
          {path: ['1'], line: 3},
        ],
      ],
    },
    {name: 'by document', in: 'a: 1\n---\na: 2\na: 3\n', want: [[], [{path: ['a'], line: 4}]]},
    {name: 'a key from a merge is none', in: 'a:\n  <<: {b: 1}\n  b: 2\n', want: [[]]},
    {
      name: 'an own key after it is',
      in: 'a:\n  <<: {b: 1}\n  b: 2\n  b: 3\n',
      want: [[{path: ['a', 'b'], line: 4}]],
    },
    {name: '__proto__', in: '__proto__: 1\n__proto__: 2\n', want: [[{path: ['__proto__'], line: 2}]]},
    {name: 'constructor, once', in: 'constructor: 1\ntoString: 2\n', want: [[]]},
  ])('$name', ({in: text, want}) => {
    expect(duplicates(text)).toStrictEqual(want)
  })

  it('are reported up to a hundred', () => {
    const [found] = duplicates('a: 1\n'.repeat(1000))
    expect([found?.length, found?.[99]?.line]).toStrictEqual([100, 101])
  })

  it('have the value of the last one', () => {
    expect(values('a: 1\nb: 2\na: 3\n')).toStrictEqual([{a: 3, b: 2}])
  })
})

describe('lines', () => {
  const text = [
    '# comment', // 1
    '---', // 2
    'a:', // 3
    '  b: &x', // 4
    '    c: 1', // 5
    '  d:', // 6
    '  - e', // 7
    '  - f: 2', // 8
    '    g: |', // 9
    '      text', // 10
    '  -', // 11
    '    - h', // 12
    'i: *x', // 13
    'j:', // 14
    '  c: 3', // 15
    '  <<: *x', // 16
    'k: 1', // 17
    'k: 2', // 18
    'l: {m: [1,', // 19
    '  2], p: 3}', // 20
    '---', // 21
    '', // 22
    'o: "p', // 23
    '  q"', // 24
    'r: [', // 25
    '1]', // 26
    's: 4', // 27
  ].join('\r\n')

  it('are those of the starts of documents', () => {
    expect(documents(text).map(document => document.line)).toStrictEqual([3, 23])
  })

  it.each([
    {path: [], want: [3, 23]},
    {path: ['a'], want: [3, 23]},
    {path: ['a', 'b'], want: [4, 23]},
    {path: ['a', 'b', 'c'], want: [5, 23]},
    {path: ['a', 'd'], want: [6, 23]},
    {path: ['a', 'd', 0], want: [7, 23]},
    {path: ['a', 'd', 1], want: [8, 23]},
    {path: ['a', 'd', 1, 'g'], want: [9, 23]},
    {path: ['a', 'd', 2, 0], want: [12, 23]},
    {path: ['a', 'd', 3], want: [6, 23]},
    {path: ['a', 'd', 1, 'none', 0], want: [8, 23]},
    {path: ['a', 'none'], want: [3, 23]},
    {path: ['i'], want: [13, 23]},
    {path: ['i', 'c'], want: [5, 23]},
    {path: ['j', 'c'], want: [5, 23]},
    {path: ['k'], want: [18, 23]},
    {path: ['l', 'm', 1], want: [20, 23]},
    {path: ['l', 'p'], want: [20, 23]},
    {path: ['o'], want: [3, 23]},
    {path: ['s'], want: [3, 27]},
    {path: ['r', 0], want: [3, 26]},
    {path: ['toString'], want: [3, 23]},
  ])('are those of the keys: $path', ({path, want}) => {
    expect(documents(text).map(document => document.lineOf(path))).toStrictEqual(want)
  })
})
