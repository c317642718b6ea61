import {runServices} from 'kubectl-crossplane-services'
import {redisService} from './redis-service.js'

// Packages have no permissions on Leases; the Deployment has one replica.
process.exitCode = await runServices([redisService()], {version: 'v0.1.0', leaderElect: false})
