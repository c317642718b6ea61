import {describe, expect, it} from '@jest/globals'
import {spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {Linter} from 'eslint'
import tseslint from 'typescript-eslint'
import config from '../eslint.config.js'
import {bannedPhrases, findIn} from '../scripts/words/find-phrases.mjs'
import {temporaryFolder, writeTree} from './temporary-folder.js'

const files = (pattern: string) =>
  spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...pattern.split(' ')], {
    encoding: 'utf8',
  })
    .stdout.trim()
    .split('\n')

describe('the list of banned phrases', () => {
  it.each([
    {name: 'a phrase', in: 'Mend the package', want: ['Mend']},
    {name: 'a phrase in a sentence', in: 'the group is nowhere', want: ['is nowhere']},
    {name: 'several phrases', in: 'nobody was asked for it', want: ['nobody', 'was asked for']},
    {name: 'another case', in: 'Does everything with it', want: ['Does everything with']},
    {name: 'no part of a word', in: 'recommend the metadata', want: []},
    {name: 'plain English', in: 'no package provides databases.sql.example.org', want: []},
  ])('finds $name', ({in: text, want}) => {
    expect(bannedPhrases(text).map(({phrase}) => phrase)).toEqual(want)
  })

  const folder = temporaryFolder()

  it('is applied to documents', () => {
    writeTree(folder, {'page.md': '# Title\n\nFine text.\n\nWhoever uses podman is set up.\n'})
    expect(findIn(join(folder, 'page.md'))).toEqual([expect.stringContaining('page.md:5: "Whoever"')])
  })

  it('is applied to help', () => {
    expect(bannedPhrases('Secret to pull images with; may be given several times')).toHaveLength(1)
  })
})

describe('the lint rule for messages', () => {
  const linter = new Linter({configType: 'flat'})
  const untyped = {languageOptions: {parserOptions: {project: false}}}
  const found = (code: string) =>
    linter
      .verify(code, [...config, tseslint.configs.disableTypeChecked, untyped], {
        filename: 'src/render/crds.ts',
      })
      .filter(({ruleId}) => ruleId === 'house/words')
      .map(({message}) => message)

  it.each([
    {
      name: 'a banned phrase in an error',
      in: "throw new CrossplaneError('usage', `--a and ${b} exclude each other`)",
      want: ['"exclude each other" is not how users say it; write: are mutually exclusive'],
    },
    {
      name: 'a banned phrase in a suggestion',
      in: "export const suggestions = ['Ask whoever runs the index.']",
      want: ['"whoever" is not how users say it; write: the user who'],
    },
    {
      name: 'a banned phrase in a comment',
      in: '/** Throws for what is no package. */\nexport const one = 1',
      want: ['"is no package" is not how users say it; write: is not a ...'],
    },
    {
      name: 'a period at the end of a message',
      in: "throw new CrossplaneError('usage', 'the name is empty.')",
      want: ['a message has no period at the end'],
    },
    {
      name: 'a period at the end of a diagnostic',
      in: 'export const one = {rule: "x", message: `${name} is empty.`}',
      want: ['a message has no period at the end'],
    },
    {
      name: 'a message that starts with a capital',
      in: "throw new CrossplaneError('usage', 'Cannot read the file')",
      want: ['a message starts in lowercase'],
    },
    {
      name: 'a summary that is not a label',
      in: "export const flag = {summary: 'write files there.'}",
      want: ['a summary has no period at the end', 'a summary is capitalized'],
    },
    {
      name: 'nothing in a plain message',
      in: "throw new CrossplaneError('usage', `cannot read ${file}: permission denied`)",
      want: [],
    },
    {
      name: 'nothing in a message that starts with a name',
      in: "export const x = {message: 'Kubernetes 1.36 rejects it'}",
      want: [],
    },
    {name: 'nothing in values of formats', in: "export const kind = 'unmet'", want: []},
  ])('finds $name', ({in: code, want}) => {
    expect(found(code)).toEqual(want)
  })
})

describe('the texts of the project', () => {
  it.each(
    files('README.md CONTRIBUTING.md CHANGELOG.md src/README.md examples/README.md docs/*.md').map(file => ({
      file,
    })),
  )('$file has no banned phrase', ({file}) => {
    expect(findIn(file)).toEqual([])
  })

  it('has no banned phrase in help', () => {
    interface Text {
      readonly summary?: string
      readonly description?: string
    }
    type Described = Text & {readonly flags?: Record<string, Text>; readonly args?: Record<string, Text>}
    const {commands} = JSON.parse(readFileSync('oclif.manifest.json', 'utf8')) as {
      commands: Record<string, Described>
    }
    const texts = Object.entries(commands).flatMap(([id, {summary, description, flags = {}, args = {}}]) => [
      ...[summary, description].map(text => ({id, text})),
      ...Object.entries({...flags, ...args}).flatMap(([name, each]) =>
        [each.summary, each.description].map(text => ({id: `${id} ${name}`, text})),
      ),
    ])
    expect(
      texts.flatMap(({id, text = ''}) => bannedPhrases(text).map(({phrase}) => `${id}: ${phrase}`)),
    ).toEqual([])
  })

  it('describes fields of documents by nouns, without a banned phrase', () => {
    const descriptions = files('docs/schemas/*.json').flatMap(file =>
      [...readFileSync(file, 'utf8').matchAll(/"description": "(.*?[^\\])"/g)].map(([, text = '']) => text),
    )
    expect(descriptions.length).toBeGreaterThan(500)
    expect(
      descriptions.filter(text => /^(What|Who|Whom|Whose)\b/.test(text) || bannedPhrases(text).length > 0),
    ).toEqual([])
  })

  it('has none of the retired sentences', () => {
    const retired = JSON.parse(readFileSync('test/testdata/retired-sentences.json', 'utf8')) as string[]
    expect(retired.length).toBeGreaterThanOrEqual(40)
    const pages = files(
      'README.md CONTRIBUTING.md CHANGELOG.md examples/*.md docs/*.md docs/schemas/*.json src/*.ts',
    ).map(file => ({
      file,
      text: readFileSync(resolve(file), 'utf8').replaceAll(/\s+/g, ' '),
    }))
    expect(
      retired.flatMap(sentence =>
        pages
          .filter(({text}) => text.includes(sentence.replaceAll(/\s+/g, ' ')))
          .map(({file}) => `${file}: ${sentence}`),
      ),
    ).toEqual([])
  })
})
