import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installDebian } from './install.ts';
import {
  at,
  type Call,
  type Direct,
  directly,
  freePort,
  listAt,
  type RealApi,
  startProgram,
} from './real-api.ts';

const PROGRAM = '/usr/sbin/Orthanc';
const PASSWORD = 'kestrel umbrella';

/** Debian's `orthanc`, with a password. It writes its own OpenAPI 3.0. */
export const orthanc: RealApi = {
  name: 'Orthanc',
  install: () => installDebian('orthanc'),
  start: async (folder) => {
    const port = await freePort();
    const description = join(folder, 'orthanc-openapi.json');
    await promisify(execFile)(PROGRAM, [`--openapi=${description}`], { cwd: folder });
    const configuration = {
      StorageDirectory: join(folder, 'storage'),
      IndexDirectory: join(folder, 'index'),
      HttpPort: port,
      RemoteAccessAllowed: false,
      DicomServerEnabled: false,
      AuthenticationEnabled: true,
      RegisteredUsers: { ada: PASSWORD },
    };
    await writeFile(join(folder, 'orthanc.json'), JSON.stringify(configuration));
    const program = await startProgram(folder, PROGRAM, [join(folder, 'orthanc.json')]);
    const origin = `http://127.0.0.1:${port}`;
    const token = Buffer.from(`ada:${PASSWORD}`).toString('base64');
    const headers = { authorization: `Basic ${token}` };
    const api = directly(origin, headers);
    await program.up(async () => (await api.status('/system')) === 200);
    return {
      origin,
      headers,
      description: { file: 'orthanc.json', text: await readFile(description, 'utf8') },
      deploy: ['--tool-mode', 'operations'],
      files: {},
      credentials: [{ args: ['--type', 'basic', '--username', 'ada'], value: PASSWORD }],
      calls: calls(api),
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  },
};

const calls = (api: Direct): readonly Call[] => {
  const Tags = { PatientName: 'SMITH^JOHN', PatientID: '4711', StudyDescription: 'Knee' };
  const ids = { patient: '', study: '' };
  const noteIds = async (): Promise<void> => {
    ids.patient = String(at(await api('/patients'), 0));
    ids.study = String(at(await api('/studies'), 0));
  };
  const comment = () => api.text(`/patients/${ids.patient}/metadata/1024`);
  return [
    {
      title: 'creates an instance',
      tool: 'post_tools_create-dicom',
      args: () => ({ Tags }),
      check: async (answer) => {
        await noteIds();
        const [instance] = listAt(await api('/instances'));
        assert.equal(at(answer.json(), 'ID'), instance);
      },
      instead: async () => {
        await api('/tools/create-dicom', { method: 'POST', body: { Tags } });
        await noteIds();
      },
    },
    {
      title: 'finds a patient by name',
      tool: 'post_tools_find',
      args: () => ({ Level: 'Patient', Query: { PatientName: 'Smith*' } }),
      check: (answer) => assert.deepEqual(answer.json(), [ids.patient]),
    },
    {
      title: 'finds studies with what is in them',
      tool: 'post_tools_find',
      args: () => ({ Level: 'Study', Query: { StudyDescription: 'Knee' }, Expand: true }),
      check: (answer) => assert.equal(at(answer.json(), 0, 'ID'), ids.study),
    },
    {
      title: 'looks an identifier up, which is sent as text',
      tool: 'post_tools_lookup',
      args: () => ({ body: '4711' }),
      check: (answer) => assert.equal(at(answer.json(), 0, 'ID'), ids.patient),
    },
    {
      title: 'makes an archive, of which nothing need be said',
      tool: 'post_studies_by_id_archive',
      args: () => ({ id: ids.study }),
      check: (answer) => assert.equal(answer.isError, false, answer.text),
    },
    {
      title: 'notes something of a patient',
      tool: 'put_patients_by_id_metadata_by_name',
      args: () => ({ id: ids.patient, name: '1024', body: 'left-handed' }),
      check: async () => assert.equal(await comment(), 'left-handed'),
    },
    {
      title: 'reads that',
      tool: 'get_patients_by_id_metadata_by_name',
      args: () => ({ id: ids.patient, name: '1024' }),
      check: async (answer) => assert.ok(answer.text.includes(await comment())),
    },
    {
      title: 'knows another machine',
      tool: 'put_modalities_by_id',
      args: () => ({ id: 'ct', AET: 'CT', Host: '127.0.0.1', Port: 4242 }),
      check: async () => assert.deepEqual(await api('/modalities'), ['ct']),
    },
    {
      title: 'makes an anonymous copy of a study',
      tool: 'post_studies_by_id_anonymize',
      args: () => ({ id: ids.study, Synchronous: true }),
      check: async () => assert.equal(listAt(await api('/studies')).length, 2),
    },
    {
      title: 'deletes a patient',
      tool: 'delete_patients_by_id',
      args: () => ({ id: ids.patient }),
      check: async () => assert.ok(!JSON.stringify(await api('/patients')).includes(ids.patient)),
    },
  ];
};
