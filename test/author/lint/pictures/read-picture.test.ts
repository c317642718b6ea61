import {describe, expect, it} from '@jest/globals'
import {crc32} from '../../../../src/author/lint/pictures/crc32.js'
import {readPicture} from '../../../../src/author/lint/pictures/read-picture.js'

const png = bytesOf(0x89, 'PNG\r\n\x1a\n')
const header = (width: number, height: number) =>
  chunk('IHDR', bytesOf(word32(width), word32(height), 8, 0, 0, 0, 0))
const data = chunk('IDAT', bytesOf(1, 2, 3))
const end = chunk('IEND', bytesOf())
const whole = Buffer.concat([png, header(3, 2), data, end])

/** Bytes given as numbers, as Latin-1 text or as bytes. */
function bytesOf(...parts: readonly (number | string | Uint8Array)[]): Buffer {
  const bytes = parts.map(part => {
    if (typeof part === 'number') return Buffer.of(part)
    return typeof part === 'string' ? Buffer.from(part, 'latin1') : part
  })
  return Buffer.concat(bytes)
}

function word32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function chunk(type: string, content: Uint8Array): Buffer {
  const checked = bytesOf(type, content)
  return bytesOf(word32(content.length), checked, word32(crc32(checked)))
}

/** A copy in which one byte is another. */
function changed(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

describe('a PNG', () => {
  it.each([
    {name: 'a whole one', in: whole, want: {size: {width: 3, height: 2}}},
    {
      name: 'one with text between its chunks',
      in: Buffer.concat([
        png,
        header(3, 2),
        chunk('tEXt', bytesOf('a\0b')),
        data,
        data,
        end,
        Buffer.from('more'),
      ]),
      want: {size: {width: 3, height: 2}},
    },
    {
      name: 'line ends were converted',
      in: bytesOf(0x89, 'PNG\n\x1a\n', header(3, 2), data, end),
      want: {damage: 'its signature is wrong, as after a conversion of line ends'},
    },
    {
      name: 'it is truncated between chunks',
      in: whole.subarray(0, -end.length),
      want: {size: {width: 3, height: 2}, damage: 'its end is missing'},
    },
    {
      name: 'it is truncated within a chunk',
      in: whole.subarray(0, -end.length - 2),
      want: {size: {width: 3, height: 2}, damage: 'its end is missing'},
    },
    {name: 'nothing but its signature is left', in: png, want: {damage: 'its end is missing'}},
    {
      name: 'a byte of its data changed',
      in: changed(whole, png.length + header(3, 2).length + 8),
      want: {size: {width: 3, height: 2}, damage: 'a checksum in it is wrong'},
    },
    {
      name: 'a byte of its header changed',
      in: changed(whole, 18),
      want: {damage: 'a checksum in it is wrong'},
    },
    {
      name: 'it begins with data',
      in: Buffer.concat([png, data, header(3, 2), end]),
      want: {damage: 'it does not begin with its header'},
    },
    {
      name: 'it has two headers',
      in: Buffer.concat([png, header(3, 2), header(3, 2), data, end]),
      want: {damage: 'it does not begin with its header'},
    },
    {
      name: 'its header is too short',
      in: Buffer.concat([png, chunk('IHDR', bytesOf(word32(3), word32(2))), data, end]),
      want: {damage: 'its header has the wrong length'},
    },
    {
      name: 'it has no width',
      in: Buffer.concat([png, header(0, 2), data, end]),
      want: {damage: 'it has no width or no height'},
    },
    {
      name: 'it has no data',
      in: Buffer.concat([png, header(3, 2), end]),
      want: {size: {width: 3, height: 2}, damage: 'it contains no picture'},
    },
  ])('$name', ({in: bytes, want}) => {
    expect(readPicture(bytes)).toEqual({mediatype: 'image/png', ...want})
  })
})

describe('crc32', () => {
  it('is that of the PNG specification', () => {
    // https://www.w3.org/TR/png-3/#D-CRCAppendix; the end of every PNG, and the check value of the polynomial.
    expect([crc32(Buffer.from('IEND')), crc32(Buffer.from('123456789'))]).toEqual([0xae426082, 0xcbf43926])
  })
})

const start = bytesOf(0xff, 0xd8)
const comment = bytesOf(0xff, 0xfe, 0, 4, 'hi')
const table = bytesOf(0xff, 0xc4, 0, 3, 0)
const scan = bytesOf(0xff, 0xda, 0, 2, 1, 2, 3)
const stop = bytesOf(0xff, 0xd9)
const frame = (marker: number) => bytesOf(0xff, marker, 0, 8, 8, 0, 2, 0, 3, 1)

describe('a JPEG', () => {
  const size = {width: 3, height: 2}
  it.each([
    {name: 'a baseline one', in: bytesOf(start, comment, table, frame(0xc0), scan, stop), want: {size}},
    {name: 'a progressive one', in: bytesOf(start, frame(0xc2), scan, stop), want: {size}},
    {
      name: 'one with filling before a marker',
      in: bytesOf(start, 0xff, frame(0xc0), scan, stop),
      want: {size},
    },
    {
      name: 'one with something behind its end',
      in: bytesOf(start, frame(0xc0), scan, stop, 'more'),
      want: {size},
    },
    {name: 'it is truncated', in: bytesOf(start, frame(0xc0), scan), want: {damage: 'its end is missing'}},
    {name: 'it has no frame', in: bytesOf(start, comment, scan, stop), want: {damage: 'it has no frame'}},
    {name: 'it ends before a frame', in: bytesOf(start, comment, stop), want: {damage: 'it has no frame'}},
    {
      name: 'its frame ends too early',
      in: bytesOf(start, 0xff, 0xc0, 0, 8, stop),
      want: {damage: 'its end is missing'},
    },
    {
      name: 'it has no height',
      in: bytesOf(start, 0xff, 0xc0, 0, 8, 8, 0, 0, 0, 3, 1, scan, stop),
      want: {damage: 'it has no width or no height'},
    },
    {
      name: 'it continues without a marker',
      in: bytesOf(start, 0xff, 0x01, 'xxxxxx', stop),
      want: {damage: 'it has no frame'},
    },
  ])('$name', ({in: bytes, want}) => {
    expect(readPicture(bytes)).toEqual({mediatype: 'image/jpeg', ...want})
  })
})

describe('a GIF', () => {
  const screen = bytesOf('GIF89a', 3, 0, 2, 0, 0, 0, 0)
  it.each([
    {name: 'a whole one', in: bytesOf(screen, 0x2c, 1, 2, 3, 0, 0x3b), want: {size: {width: 3, height: 2}}},
    {
      name: 'one without a trailer',
      in: bytesOf(screen, 0x2c, 1, 2, 3, 0),
      want: {size: {width: 3, height: 2}},
    },
    {name: 'it is truncated', in: bytesOf(screen, 0x2c, 1, 2, 3), want: {damage: 'its end is missing'}},
    {name: 'only its name is left', in: bytesOf('GIF87a'), want: {damage: 'its end is missing'}},
    {
      name: 'it has no width',
      in: bytesOf('GIF89a', 0, 0, 2, 0, 0, 0, 0, 0x3b),
      want: {damage: 'it has no width or no height'},
    },
  ])('$name', ({in: bytes, want}) => {
    expect(readPicture(bytes)).toEqual({mediatype: 'image/gif', ...want})
  })
})

describe('an SVG', () => {
  const svg = (inside: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${inside}</svg>`

  it.each([
    {name: 'a whole one', in: `\ufeff<?xml version="1.0"?>\n<!-- <html> -->\n${svg('<path d="M0 0"/>')}\n`},
    {name: 'one with a prefix', in: '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:g/></s:svg>'},
    {name: 'one that is empty', in: '<svg xmlns="http://www.w3.org/2000/svg" />'},
    {
      name: 'one with a document type',
      in: `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svg('')}`,
    },
    {
      name: 'references within',
      in: svg('<use xlink:href="#a"/><g fill="url(#b)" style="mask: url( \'#c\' )"/>'),
    },
    {name: 'a quoted reference within', in: svg('<g style="fill:url(&quot;#b&quot;)"/>')},
    {name: 'an embedded picture', in: svg('<image href="data:image/png;base64,AAAA"/>')},
    {name: 'text about scripts', in: svg('<title>a script on load = fun</title>')},
    {name: 'a script in a comment', in: svg('<!-- <script>alert(1)</script> -->')},
  ])('is a picture and nothing else: $name', ({in: text}) => {
    expect(readPicture(Buffer.from(text))).toEqual({mediatype: 'image/svg+xml'})
  })

  it.each([
    {name: 'a script', in: '<script>alert(1)</script>', want: ['runs a script']},
    {name: 'a script with a prefix', in: '<x:SCRIPT href="#a"/>', want: ['runs a script']},
    {name: 'an event', in: '<g\nonclick = "alert(1)"/>', want: ['runs a script on an event']},
    {name: 'HTML', in: '<foreignObject><p/></foreignObject>', want: ['embeds another document']},
    {
      name: 'a link',
      in: '<a href="https://example.org/">x</a>',
      want: ['refers to an external resource'],
    },
    {
      name: 'an external picture',
      in: "<image xlink:href='//example.org/x.png'/>",
      want: ['refers to an external resource'],
    },
    {
      name: 'a script as a link',
      in: '<a href="javascript:alert(1)"/>',
      want: ['refers to an external resource'],
    },
    {
      name: 'an embedded SVG',
      in: '<image href="data:image/svg+xml;base64,AAAA"/>',
      want: ['refers to an external resource'],
    },
    {
      name: 'an external font',
      in: '<style>@font-face{src:url(https://example.org/x)}</style>',
      want: ['draws with an external resource'],
    },
    {name: 'a style sheet', in: '<style>@import "x.css";</style>', want: ['loads a style sheet']},
  ])('reports activity: $name', ({in: inside, want}) => {
    expect(readPicture(Buffer.from(svg(inside)))).toEqual({mediatype: 'image/svg+xml', activity: want})
  })

  it('reports entities', () => {
    const text = `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`
    expect(readPicture(Buffer.from(text))).toEqual({
      mediatype: 'image/svg+xml',
      activity: ['defines entities'],
    })
  })

  it('is damaged if it is truncated', () => {
    expect(readPicture(Buffer.from(svg('<g/>').slice(0, -3)))).toEqual({
      mediatype: 'image/svg+xml',
      damage: 'its end is missing',
    })
  })

  it.each(['<', ' on', '<!--', 'url(', '<a ', ' href', '</svg>', '<svg '])(
    'is read in reasonable time with a megabyte of %j',
    part => {
      const text = `<svg>${part.repeat(200_000)}`
      expect(readPicture(Buffer.from(text))?.mediatype).toBe('image/svg+xml')
    },
  )
})

describe('bytes that are not a picture', () => {
  it.each([
    {name: 'nothing', in: ''},
    {name: 'text', in: 'an icon'},
    {name: 'HTML with an SVG in it', in: '<html><svg></svg></html>'},
    {
      name: 'a pointer that git-lfs left',
      in: 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n',
    },
  ])('$name', ({in: text}) => {
    expect(readPicture(Buffer.from(text))).toBeUndefined()
  })

  it('are rejected if they are not text', () => {
    expect(readPicture(Buffer.of(0xff, 0x00, 0x3c))).toBeUndefined()
  })
})
