import {describe, expect, it} from '@jest/globals'
import {formerly, formerlyFile, withNewNames} from '../../../../src/cli/shell/flags/former-names.js'
import {outcome} from '../../../outcome.js'
import {runCli} from '../../../run-cli.js'

const FLAGS = {
  'with-package-api': formerly({}, 'base'),
  target: formerly({}, 'to'),
  output: formerlyFile({char: 'o', options: ['text', 'json']}, 'output-file'),
}
const FILE = {former: '--output FILE', now: '--output-file FILE'}

describe('withNewNames', () => {
  it.each([
    {in: ['a', '--base'], words: ['a', '--with-package-api'], renamed: ['--base']},
    {
      in: ['--base=false', '--to', 'r'],
      words: ['--with-package-api=false', '--target', 'r'],
      renamed: ['--base', '--to'],
    },
    {in: ['--to=a=b'], words: ['--target=a=b'], renamed: ['--to']},
    {in: ['--bases', 'base', '--', '--base'], words: ['--bases', 'base', '--', '--base'], renamed: []},
  ])('replaces $renamed in $in', ({in: input, words, renamed}) => {
    const result = withNewNames(input, FLAGS)
    expect(result.words).toEqual(words)
    expect(result.renamed.map(({former}) => former)).toEqual(renamed)
  })

  it.each([
    {in: ['-o', 'x.tar'], words: ['--output-file=x.tar']},
    {in: ['-ox.tar', 'a'], words: ['--output-file=x.tar', 'a']},
    {in: ['--output=./x', '-q'], words: ['--output-file=./x', '-q']},
    {in: ['--output', '/tmp/x'], words: ['--output-file=/tmp/x']},
  ])('takes the path of $in for a file', ({in: input, words}) => {
    expect(withNewNames(input, FLAGS)).toEqual({words, renamed: [FILE]})
  })

  it.each([[['-o', 'json']], [['--output=text']], [['-o']], [['--output-file', 'x.tar']]])(
    'leaves the format of %j',
    words => {
      expect(withNewNames(words, FLAGS)).toEqual({words, renamed: []})
    },
  )

  it('leaves a name that another flag has now, and takes that of the last flag', () => {
    const bases = formerly({}, 'base')
    const own = withNewNames(['--base', 'x'], {base: {}, 'packages-base': bases})
    expect(own).toEqual({words: ['--base', 'x'], renamed: []})
    const both = withNewNames(['--base'], {'packages-base': bases, ...FLAGS})
    expect(both.words).toEqual(['--with-package-api'])
  })

  const REPEATED = {
    ...FLAGS,
    target: formerly({type: 'option', char: 't'}, 'to'),
    'output-file': {type: 'option', char: 'O'},
    many: formerly({type: 'option', multiple: true}, 'much'),
  }

  it.each([
    {in: ['--to', 'x', '--target', 'y'], message: '--to and --target are the same flag: pass one'},
    {in: ['--target=y', '--to=x'], message: '--to and --target are the same flag: pass one'},
    {in: ['-t', 'y', '--to=x'], message: '--to and -t are the same flag: pass one'},
    {in: ['--to', 'x', '--to', 'y'], message: '--to cannot be repeated'},
    {in: ['-o', 'a.tar', '-O', 'b.tar'], message: '-o and -O are the same flag: pass one'},
    {
      in: ['--output-file=b.tar', '--output=a.tar'],
      message: '--output and --output-file are the same flag: pass one',
    },
    {in: ['-oa.tar', '-o', 'b.tar'], message: '-o cannot be repeated'},
  ])('names the words of $in', ({in: words, message}) => {
    expect(() => withNewNames(words, REPEATED)).toThrow(message)
  })

  it('accepts both names of a flag that can be repeated', () => {
    const {words} = withNewNames(['--much=1', '--many=2', '--base', '--with-package-api'], REPEATED)
    expect(words).toEqual(['--many=1', '--many=2', '--with-package-api', '--with-package-api'])
    expect(withNewNames(['-o', 'a.tar', '-o', 'json'], REPEATED).words).toEqual([
      '--output-file=a.tar',
      '-o',
      'json',
    ])
  })

  it('rejects a format that could be a folder', async () => {
    expect(await outcome(() => withNewNames(['-o', 'bundle'], FLAGS))).toBe('usage')
  })
})

describe('a command line of an earlier release', () => {
  const examples = 'examples/tutorial/packages'

  it('works with one warning', async () => {
    const words = ['package', 'render', 'example/provider-queue:v0.1.0', '--packages', examples, '-o', 'name']
    const now = await runCli(...words, '--with-package-api')
    const former = await runCli(...words, '--base')
    expect(former).toEqual({
      ...now,
      stderr: `Warning: --base is deprecated: use --with-package-api\n${now.stderr}`,
    })
    expect(now).toMatchObject({status: 0})
  })

  it('knows the former name of --packages-base', async () => {
    const words = ['package', 'tree', 'example/provider-queue:v0.1.0', '--packages', examples]
    const {status, stderr} = await runCli(...words, '--base', 'x.tar')
    expect(status).toBe(2)
    expect(stderr).toContain('Warning: --base is deprecated: use --packages-base\n')
    expect(stderr).toContain('Leave out --packages-base')
  })

  it('suggests a format that a word is close to', async () => {
    const {stderr} = await runCli('bundle', 'create', '-o', 'yml')
    expect(stderr).toBe(`Error: invalid --output "yml": must be one of text, json or yaml
Try: Write --output yaml.
Try: Write --output-file yml if that is the file or folder to write.
`)
  })

  it('names the new flag where a word is ambiguous', async () => {
    const words = [
      'bundle',
      'create',
      'example/provider-queue:v0.1.0',
      '--packages',
      examples,
      '-o',
      'bundle',
    ]
    const {status, stderr} = await runCli(...words)
    expect({status, stderr}).toEqual({
      status: 2,
      stderr: `Error: invalid --output "bundle": must be one of text, json or yaml
Try: Write --output-file bundle if that is the file or folder to write.
`,
    })
  })
})
