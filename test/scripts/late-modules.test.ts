import {describe, expect, it} from '@jest/globals'
import {withLateModules} from '../../scripts/bundle/late-modules.mjs'

describe('modules of Node.js in a bundle', () => {
  it('load when something of them is used, with all that is used', () => {
    const code = `var import_node_crypto=require("node:crypto"),import_node_path=require("node:path");
      (0,import_node_crypto.createHash)("sha256"),(0,import_node_crypto.randomBytes)(8),(0,import_node_crypto.createHash)("md5")`
    expect(withLateModules(code)).toBe(
      code.replace(
        'require("node:crypto")',
        '{get createHash(){return require("node:crypto").createHash},get randomBytes(){return require("node:crypto").randomBytes}}',
      ),
    )
  })

  it('load late as a namespace of which only parts are used', () => {
    expect(withLateModules('var nodeFs=__toESM(require("node:fs/promises"));nodeFs.open("a")')).toBe(
      'var nodeFs={get open(){return require("node:fs/promises").open}};nodeFs.open("a")',
    )
  })

  it.each([
    ['that are passed on', 'var nodeFs=__toESM(require("node:fs/promises"));nodeFs.open("a"),use(nodeFs)'],
    ['that are imported as a default', 'var net=__toESM(require("node:net"));net.default.isIP("a")'],
    ['that every command uses', 'var import_node_fs=require("node:fs");import_node_fs.readSync(1)'],
  ])('load at once if they are modules %s', (_, code) => {
    expect(withLateModules(code)).toBe(code)
  })
})
