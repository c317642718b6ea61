import {execFileSync} from 'node:child_process'
import {lstat, mkdir, readdir, readFile, rm, symlink, truncate, utimes, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, it} from '@jest/globals'
import type {FileSystem} from '../../src/adapters/file-system.js'
import {outputFolder} from '../../src/adapters/output-folder.js'
import {pendingWrite} from '../../src/commit/recover-folder.js'
import {executePlan, type FolderWrite, previewFolder, writeFolder} from '../../src/commit/write-folder.js'
import {compareText} from '../../src/reference/compare-text.js'
import {oursIn, withForeignFolder} from './foreign-folder.js'
import {immortal, mortalFileSystem} from './mortal-file-system.js'

type Contents = Readonly<Record<string, string>>

const LIST = '.kubectl-crossplane/files.sha256'
const JOURNAL = '.kubectl-crossplane/journal'
const REFUSED = expect.objectContaining({code: 'output-refused'})
const OLD: Contents = {'crds/a.yaml': 'A1\n', 'crds/b.yaml': 'B\n', 'kustomization.yaml': 'K\n'}
const NEW: Contents = {'crds/a.yaml': 'A2\n', 'crds/c.yaml': 'C\n', 'kustomization.yaml': 'K\n'}

function write(root: string, contents: Contents, files?: FileSystem): Promise<FolderWrite> {
  const outputs = Object.entries(contents).map(([path, content]) => ({path, content}))
  return writeFolder(outputs, outputFolder(root, {files}))
}

/** What is ours in the folder, without the list of it. */
async function writtenIn(root: string): Promise<Contents> {
  return Object.fromEntries(Object.entries(await oursIn(root)).filter(([path]) => path !== LIST))
}

describe('writeFolder on a disk', () => {
  it('writes, skips unchanged files, upgrades, and reports the paths', async () => {
    await withForeignFolder(async root => {
      expect(await write(root, OLD)).toEqual({
        written: Object.keys(OLD),
        deleted: [],
        unchanged: 0,
        risks: [],
      })
      expect(await writtenIn(root)).toEqual(OLD)
      expect(await write(root, OLD)).toEqual({written: [], deleted: [], unchanged: 3, risks: []})
      expect(await write(root, NEW)).toEqual({
        written: ['crds/a.yaml', 'crds/c.yaml'],
        deleted: ['crds/b.yaml'],
        unchanged: 1,
        risks: [],
      })
      expect(await writtenIn(root)).toEqual(NEW)
    })
  })

  it.each(['/.', '/', '/./', '/new/.'])('creates a folder that is named with %s at its end', async end => {
    await withForeignFolder(async root => {
      await write(`${root}/absent${end}`, OLD)
      expect(await writtenIn(join(root, 'absent', end))).toEqual(OLD)
    })
  })

  it('does not write a file that is unchanged', async () => {
    await withForeignFolder(async root => {
      await write(root, OLD)
      const path = join(root, 'kustomization.yaml')
      await utimes(path, 1, 1)
      const {ino, mtimeMs, ctimeMs} = await lstat(path)
      await write(root, NEW)
      expect(await lstat(path)).toMatchObject({ino, mtimeMs, ctimeMs})
    })
  })

  it('creates the folder and its parents with default modes', async () => {
    await withForeignFolder(async scratch => {
      const root = join(scratch, 'new/inner')
      const umask = process.umask(0o027)
      try {
        await write(root, OLD)
      } finally {
        process.umask(umask)
      }
      const modes = ['', 'crds', 'crds/a.yaml', LIST].map(
        async path => (await lstat(join(root, path))).mode & 0o777,
      )
      expect(await Promise.all(modes)).toEqual([0o750, 0o750, 0o640, 0o640])
      await rm(join(scratch, 'new'), {recursive: true})
    })
  })

  it('writes a list that sha256sum can check', async () => {
    await withForeignFolder(async root => {
      await write(root, NEW)
      const checked = execFileSync('sha256sum', ['--check', '--strict', LIST], {cwd: root, encoding: 'utf8'})
      expect(checked).toBe('crds/a.yaml: OK\ncrds/c.yaml: OK\nkustomization.yaml: OK\n')
    })
  })

  it('deletes only folders that it leaves empty', async () => {
    await withForeignFolder(async root => {
      await write(root, {'installs/team.a/x.yaml': 'X', 'installs/team.b/inner/y.yaml': 'Y'})
      await write(root, {})
      expect(await readdir(join(root, 'installs'))).toEqual(['team.a', 'team.other'])
      expect(await readdir(join(root, 'installs/team.a'))).toEqual(['patch.yaml'])
      expect(await writtenIn(root)).toEqual({})
    })
  })

  it('writes a deleted file again', async () => {
    await withForeignFolder(async root => {
      await write(root, OLD)
      await rm(join(root, 'crds/a.yaml'))
      expect(await write(root, OLD)).toEqual({written: ['crds/a.yaml'], deleted: [], unchanged: 2, risks: []})
    })
  })

  it('follows a link to the output folder itself', async () => {
    await withForeignFolder(async root => {
      await symlink(root, join(root, 'link'))
      await write(join(root, 'link'), OLD)
      await rm(join(root, 'link'))
      expect(await writtenIn(root)).toEqual(OLD)
    })
  })

  it('syncs each content before the journal is written, and each change before it is deleted', async () => {
    await withForeignFolder(async root => {
      await write(root, {'crds/a.yaml': 'A1', 'old/b.yaml': 'B'})
      const {files, calls} = immortal()
      await write(root, {'crds/a.yaml': 'A2'}, files)
      const made = calls.map(
        ([name, path]) => `${name} ${path.slice(root.length + 1).replace('.kubectl-crossplane', '.kc')}`,
      )
      const withoutLock = made.filter(call => !call.includes('lock'))
      // Contents are staged at the same time, in a folder that each creates if necessary.
      const end = withoutLock.indexOf('create .kc/staging/journal')
      const staged = [...new Set(withoutLock.slice(0, end))]
      const inOrder = staged.sort((a, b) => compareText(a.split(' ')[1] ?? '', b.split(' ')[1] ?? ''))
      expect([...inOrder, ...withoutLock.slice(end)]).toEqual([
        'mkdir ',
        'mkdir .kc/staging',
        ...['0', '2', 'journal'].flatMap(name =>
          ['create', 'write', 'sync'].map(call => `${call} .kc/staging/${name}`),
        ),
        'sync .kc/staging',
        'sync .kc',
        'sync ',
        'rename .kc/journal',
        'sync .kc',
        'rename crds/a.yaml',
        'unlink old/b.yaml',
        'rename .kc/files.sha256',
        'rmdir old',
        'sync crds',
        'sync .kc',
        'sync ',
        'rmdir .kc/staging',
        'unlink .kc/journal',
        'sync .kc',
      ])
    })
  })
})

describe('unmanaged and modified files', () => {
  const refusals: readonly {
    readonly name: string
    readonly reason: string
    readonly prepare: (root: string) => Promise<unknown>
  }[] = [
    {
      name: 'an unmanaged file',
      reason: 'it was not written by this program',
      prepare: root => writeFile(join(root, 'crds/c.yaml'), 'mine'),
    },
    {
      name: 'a modified file',
      reason: 'the modification would be lost',
      prepare: root => writeFile(join(root, 'crds/a.yaml'), 'mine'),
    },
    {
      name: 'a modified file that is no longer needed',
      reason: 'the modification would be lost',
      prepare: root => writeFile(join(root, 'crds/b.yaml'), 'mine'),
    },
    {
      name: 'a link in place of a file',
      reason: 'its target is not in the folder',
      prepare: root => symlink('../README.md', join(root, 'crds/c.yaml')),
    },
    {
      name: 'a folder in place of a file',
      reason: 'it can contain anything',
      prepare: root => mkdir(join(root, 'crds/c.yaml')),
    },
    {
      name: 'a pipe in place of a file',
      reason: 'reading it would never end',
      prepare: root => Promise.resolve(execFileSync('mkfifo', [join(root, 'crds/c.yaml')])),
    },
    {
      name: 'a second kustomization',
      reason: 'kustomize rejects a folder with two',
      prepare: root => writeFile(join(root, 'kustomization.yml'), ''),
    },
    {
      name: 'a damaged list of managed files',
      reason: 'the managed files are unknown',
      prepare: root => writeFile(join(root, LIST), '<<<<<<<'),
    },
    {
      name: 'a list of managed files with a path outside of the folder',
      reason: 'a folder can come from anyone',
      prepare: root =>
        writeFile(join(root, LIST), `# kubectl-crossplane files v1\n${'0'.repeat(64)}  ../x\n`),
    },
    {
      name: 'text in place of a journal',
      reason: 'the interrupted write is unknown',
      prepare: root => writeFile(join(root, JOURNAL), '{}'),
    },
    {
      name: 'a journal that is a link',
      reason: 'this program never writes one',
      prepare: root => symlink('../README.md', join(root, JOURNAL)),
    },
  ]

  it.each(refusals)('stops a write before it begins: $name, for $reason', async ({prepare}) => {
    await withForeignFolder(async root => {
      await write(root, OLD)
      await prepare(root)
      const before = await oursIn(root)
      await expect(write(root, NEW)).rejects.toEqual(REFUSED)
      expect(await oursIn(root)).toEqual(before)
    })
  })

  it('leave the folder unchanged if the write is rejected', async () => {
    await withForeignFolder(async root => {
      await writeFile(join(root, 'kustomization.yaml'), 'mine')
      await expect(write(root, NEW)).rejects.toEqual(REFUSED)
      expect(await oursIn(root)).toEqual({'kustomization.yaml': 'mine'})
    })
  })

  it('are not modified through a link in place of a managed folder', async () => {
    await withForeignFolder(async root => {
      await write(root, {'old/a.yaml': 'A\n', 'x.yaml': 'X'})
      await rm(join(root, 'old'), {recursive: true})
      await mkdir(join(root, 'elsewhere'))
      await writeFile(join(root, 'elsewhere/a.yaml'), 'A\n')
      await symlink('elsewhere', join(root, 'old'))
      await expect(write(root, {'old/a.yaml': 'A2\n'})).rejects.toEqual(REFUSED)
      expect(await write(root, {})).toEqual({written: [], deleted: ['x.yaml'], unchanged: 0, risks: []})
      expect(await writtenIn(root)).toEqual({'elsewhere/a.yaml': 'A\n', old: '-> elsewhere'})
    })
  })

  it('are not modified through links in place of the metadata', async () => {
    await withForeignFolder(async root => {
      await symlink('crds', join(root, '.kubectl-crossplane'))
      await expect(write(root, NEW)).rejects.toEqual(REFUSED)
      await rm(join(root, '.kubectl-crossplane'))
      await mkdir(join(root, '.kubectl-crossplane'))
      await symlink('../crds', join(root, '.kubectl-crossplane/staging'))
      expect(await write(root, NEW)).toMatchObject({recovered: 'rolled-back'})
      expect(await writtenIn(root)).toEqual(NEW)
    })
  })

  it('stop a write if the output folder is a file', async () => {
    await withForeignFolder(async root => {
      await expect(write(join(root, 'README.md'), NEW)).rejects.toEqual(REFUSED)
      await expect(write(join(root, 'README.md/inner'), NEW)).rejects.toEqual(REFUSED)
    })
  })
})

describe('an interrupted write', () => {
  /** Dies at the call that would replace the first file: the journal is there, and nothing else has happened. */
  async function interrupted(root: string): Promise<void> {
    await write(root, OLD)
    const {files, death} = mortalFileSystem(await callOf('rename', 'crds/a.yaml'), 'dies')
    await Promise.race([write(root, NEW, files), death])
    await rm(join(root, '.kubectl-crossplane/lock'), {recursive: true})
  }

  it('is pending until the next write completes it, whatever the next write contains', async () => {
    await withForeignFolder(async root => {
      await interrupted(root)
      expect(await pendingWrite(outputFolder(root))).toBe('to-complete')
      expect(await write(root, OLD)).toEqual({
        written: ['crds/a.yaml', 'crds/b.yaml'],
        deleted: ['crds/c.yaml'],
        unchanged: 1,
        risks: [],
        recovered: 'completed',
      })
      expect(await pendingWrite(outputFolder(root))).toBeUndefined()
      expect(await writtenIn(root)).toEqual(OLD)
    })
  })

  it('is a rejection in the plan of another write', async () => {
    await withForeignFolder(async root => {
      await interrupted(root)
      const before = await oursIn(root)
      const {plan} = await previewFolder([], outputFolder(root))
      expect(plan.rejections.map(({rule}) => rule)).toEqual(['write-pending'])
      expect(await oursIn(root)).toEqual(before)
      await write(root, NEW)
      expect((await previewFolder([], outputFolder(root))).plan.rejections).toEqual([])
    })
  })

  it('is completed before a saved plan is executed', async () => {
    await withForeignFolder(async root => {
      await write(root, NEW)
      const {plan} = await previewFolder([{path: 'x.yaml', content: 'X'}], outputFolder(root))
      await write(root, {})
      await interrupted(root)
      expect(await executePlan(plan, outputFolder(root))).toMatchObject({recovered: 'completed'})
      expect(await writtenIn(root)).toEqual({'x.yaml': 'X'})
    })
  })

  it('does not overwrite later modifications, and continues once they are moved away', async () => {
    await withForeignFolder(async root => {
      await interrupted(root)
      await writeFile(join(root, 'crds/a.yaml'), 'mine')
      await writeFile(join(root, 'crds/c.yaml'), 'mine too')
      const before = await oursIn(root)
      const refusal = await write(root, NEW).catch((error: unknown) => error)
      expect(refusal).toMatchObject({
        code: 'output-refused',
        diagnostics: [{file: 'crds/a.yaml'}, {file: 'crds/c.yaml'}],
      })
      expect(await oursIn(root)).toEqual(before)
      await rm(join(root, 'crds/a.yaml'))
      await rm(join(root, 'crds/c.yaml'))
      expect(await write(root, NEW)).toEqual({
        written: [],
        deleted: [],
        unchanged: 3,
        risks: [],
        recovered: 'completed',
      })
      expect(await writtenIn(root)).toEqual(NEW)
    })
  })

  it('does not write damaged content', async () => {
    await withForeignFolder(async root => {
      await interrupted(root)
      await truncate(join(root, '.kubectl-crossplane/staging/0'), 1)
      await expect(write(root, NEW)).rejects.toMatchObject({
        diagnostics: [{rule: 'staging-damaged', file: 'crds/a.yaml'}],
      })
      await rm(join(root, JOURNAL))
      expect(await write(root, NEW)).toMatchObject({recovered: 'rolled-back'})
      expect(await writtenIn(root)).toEqual(NEW)
    })
  })

  it('is rejected if its journal is too large', async () => {
    await withForeignFolder(async root => {
      await interrupted(root)
      await truncate(join(root, JOURNAL), 65 * 1024 * 1024)
      await expect(write(root, NEW)).rejects.toMatchObject({code: 'limit-exceeded'})
    })
  })

  it('is rolled back by a write during which a file changes', async () => {
    await withForeignFolder(async root => {
      await write(root, OLD)
      const {files} = immortal()
      const meddling = {
        ...files,
        create: async (...args: Parameters<FileSystem['create']>) => {
          if (args[0].endsWith('staging/journal')) await writeFile(join(root, 'crds/a.yaml'), 'mine')
          return files.create(...args)
        },
      }
      await expect(write(root, NEW, meddling)).rejects.toMatchObject({
        code: 'output-refused',
        diagnostics: [{rule: 'changed-meanwhile', file: 'crds/a.yaml'}],
      })
      expect(await writtenIn(root)).toEqual({...OLD, 'crds/a.yaml': 'mine'})
      expect(await readFile(join(root, 'crds/a.yaml'), 'utf8')).toBe('mine')
    })
  })
})

/** The number of a call within an upgrade from OLD to NEW. */
async function callOf(name: string, path: string): Promise<number> {
  const {files, calls} = immortal()
  await withForeignFolder(async root => {
    await write(root, OLD)
    await write(root, NEW, files)
  })
  return calls.findIndex(call => call[0] === name && call[1].endsWith(path)) + 1
}
