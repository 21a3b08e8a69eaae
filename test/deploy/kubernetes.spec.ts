import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { loadConfig } from '../../src/load-config';

const ROOT = join(__dirname, '../..');

interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  timeoutSeconds: number;
  failureThreshold: number;
}
interface Container {
  image: string;
  args?: string[];
  ports?: { name: string; containerPort: number }[];
  env: { name: string; value: string }[];
  startupProbe: Probe;
  readinessProbe: Probe;
  livenessProbe: Probe;
  securityContext: object;
  volumeMounts: { name: string; mountPath: string }[];
}
interface Pod {
  terminationGracePeriodSeconds: number;
  securityContext: object;
  containers: [Container];
  volumes: [{ secret: { secretName: string } }];
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: { selector: object; ports: [{ port: number; targetPort: string }]; template: { metadata: object; spec: Pod } };
}

const manifests = loadAll(readFileSync(join(ROOT, 'deploy/kubernetes.yaml'), 'utf8')) as Manifest[];
const of = (kind: string) => manifests.find((manifest) => manifest.kind === kind) as Manifest;
const deployment = of('Deployment').spec.template;
const job = of('Job').spec.template;
const [service] = deployment.spec.containers;
const [migrate] = job.spec.containers;

let secrets: string;
beforeAll(() => {
  secrets = mkdtempSync(join(tmpdir(), 'secrets-'));
  chmodSync(secrets, 0o700);
});
afterAll(() => rmSync(secrets, { recursive: true }));

/** The configuration of a container, with files of the names that it mounts. */
function configOf({ env }: Container) {
  const variables = env.map(({ name, value }) => {
    if (!name.endsWith('_FILE')) return [name, value];
    const path = join(secrets, name);
    writeFileSync(
      path,
      name.startsWith('DATABASE_URL')
        ? 'postgres://service@db.example.com/directory'
        : 'a secret of this test, of more than 32 bytes',
    );
    return [name, path];
  });
  return loadConfig(Object.fromEntries(variables) as Record<string, string>);
}

const files = ({ env }: Container) => env.filter(({ name }) => name.endsWith('_FILE')).map(({ value }) => value);

describe('deploy/kubernetes.yaml', () => {
  it('configures a service that starts, and listens where the Service and the probes look', () => {
    const config = configOf(service);
    expect([config.production, config.host, config.fairUse.trustedProxies]).toEqual([true, '0.0.0.0', 1]);
    expect(service.ports).toEqual([{ name: 'http', containerPort: config.port }]);
    expect(of('Service').spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
    expect(deployment.metadata).toMatchObject({ annotations: { 'prometheus.io/port': String(config.port) } });
    const { paths } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as { paths: object };
    const probes = [service.startupProbe, service.livenessProbe, service.readinessProbe];
    expect(probes.map(({ httpGet }) => httpGet)).toEqual([
      { path: '/health/live', port: 'http' },
      { path: '/health/live', port: 'http' },
      { path: '/health/ready', port: 'http' },
    ]);
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/health/live', '/health/ready']));
  });

  it('lets a pod drain until it gets no more requests, and end before it is killed', () => {
    const { drainMs } = configOf(service).httpBounds;
    const { periodSeconds, timeoutSeconds, failureThreshold } = service.readinessProbe;
    expect(drainMs).toBe(10_000);
    expect((periodSeconds * failureThreshold + timeoutSeconds) * 1000).toBeLessThan(drainMs);
    expect(deployment.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThanOrEqual(drainMs + 4_000);
  });

  it('migrates with the same image, by the command of the service, as the owner', () => {
    const { bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { bin: Record<string, string> };
    expect([migrate.image, migrate.args]).toEqual([service.image, [bin['user-admin'], 'migrate']]);
    expect(migrate.env.map(({ name }) => name)).toEqual(['NODE_ENV', 'DATABASE_URL_FILE']);
    expect([job, deployment].map(({ spec: { volumes } }) => volumes[0].secret.secretName)).toEqual([
      'user-administration-owner',
      'user-administration',
    ]);
  });

  it('gives secrets only as files, and no rights', () => {
    for (const { spec } of [job, deployment]) {
      const [container] = spec.containers;
      expect(container.volumeMounts).toEqual([{ name: 'secrets', mountPath: '/secrets', readOnly: true }]);
      expect(files(container).filter((path) => !path.startsWith('/secrets/'))).toEqual([]);
      expect(container.env.filter(({ name }) => /(SECRET|DATABASE_URL|PASSWORD)$/.test(name))).toEqual([]);
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
    // The commands that make the Secrets.
    const page = readFileSync(join(ROOT, 'docs/run.md'), 'utf8');
    const names = [...page.matchAll(/--from-file=([\w-]+)/g)].map(([, name]) => `/secrets/${name}`);
    expect(names).toEqual(expect.arrayContaining(files(service)));
  });

  it('names no user on OpenShift, which chooses one', () => {
    const page = readFileSync(join(ROOT, 'docs/run.md'), 'utf8');
    const [, pattern = ''] = /^sed -E '\/(.+)\/d' kubernetes\.yaml/m.exec(page) ?? [];
    const lines = readFileSync(join(ROOT, 'deploy/kubernetes.yaml'), 'utf8').split('\n');
    const left = loadAll(lines.filter((line) => !new RegExp(pattern).test(line)).join('\n')) as Manifest[];
    const pods = left.filter(({ kind }) => ['Job', 'Deployment'].includes(kind)).map(({ spec }) => spec.template.spec);
    expect(pods.map(({ securityContext }) => securityContext)).toEqual([
      { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    ]);
    expect(left).toHaveLength(manifests.length);
  });

  it('selects its own pods everywhere, and keeps all of them while it replaces them', () => {
    const { spec, metadata } = of('Deployment');
    const labels = { 'app.kubernetes.io/name': metadata.name };
    expect(deployment.metadata).toMatchObject({ labels });
    expect(of('Service').spec.selector).toEqual(labels);
    expect(spec).toMatchObject({
      replicas: 2,
      selector: { matchLabels: labels },
      strategy: { rollingUpdate: { maxUnavailable: 0 } },
    });
    expect(of('PodDisruptionBudget').spec).toEqual({
      maxUnavailable: 1,
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
      selector: { matchLabels: labels },
    });
    expect(job.metadata).not.toMatchObject({ labels });
  });
});
