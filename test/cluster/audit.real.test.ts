import {describe, expect, it} from '@jest/globals'
import {auditOf, isWrite} from './audit.js'
import {describeCluster} from './describe-cluster.js'
import {openApi} from './open-api.js'

describe.each(['current', '1.20'] as const)('the audit log of Kubernetes %s', version => {
  describeCluster(version, `audit log of ${version}`, cluster => {
    it('has every request after a mark, and knows which ones changed something', async () => {
      const api = openApi(cluster())
      const audit = auditOf(cluster())
      const name = {apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'audited'}
      const {apiVersion, kind} = name
      const object = {apiVersion, kind, metadata: {namespace: 'default', name: 'audited'}}
      await api.discover()
      await api.delete(name)
      const mark = await audit.mark()
      await api.apply(object, {manager: 'suite', dryRun: true})
      await api.allowed([{verb: 'get', group: '', resource: 'secrets'}])
      await api.apply(object, {manager: 'suite'})
      await api.get(name)
      await api.delete(name)
      await api.delete(name)
      const own = (await audit.since(mark)).filter(({userAgent}) => userAgent === 'suite')
      const at = {group: '', resource: 'configmaps', namespace: 'default', name: 'audited', user: 'admin'}
      expect(own).toMatchObject([
        {...at, verb: 'patch', code: 201},
        {verb: 'create', resource: 'selfsubjectaccessreviews'},
        {...at, verb: 'patch', code: 201},
        {...at, verb: 'get', code: 200},
        {...at, verb: 'delete', code: 200},
        {...at, verb: 'delete', code: 404},
      ])
      expect(own.filter(isWrite).map(({verb}) => verb)).toEqual(['patch', 'delete'])
      expect(await audit.since(await audit.mark())).not.toContainEqual(
        expect.objectContaining({userAgent: 'suite'}),
      )
    })
  })
})
