import { type JsonObject, member, textMember } from '../../platform/rules/json/json.ts';
import type { PropertyEncoding } from '../tool-index.ts';
import {
  isAnyOperation,
  isOfDjango,
  isOfGrape,
  isOfNest,
  isOfOrpc,
  isOfPhp,
  isOfRails,
  isOfSpringdoc,
  remembered,
  typesOfBody,
} from './fingerprints.ts';
import type { RecognizedHabit } from './habit.ts';

/** Frameworks that read every part with a media type as a file, so that JSON objects are sent to them without one. */
export const READERS_OF_PLAIN_FIELDS = [
  {
    frameworks: 'Strapi',
    writes: 'an object among the fields of an upload, `fileInfo`',
    takes: 'JSON in a part without a media type: one with `application/json` would be a file',
    source: 'Strapi, "Upload files"; formidable, src/Formidable.js, `onPart`',
    isWritten: (root) => member(root, 'x-strapi-config') !== undefined,
  },
] as const satisfies readonly RecognizedHabit[];

export const readsPlainFields = (root: JsonObject): boolean =>
  READERS_OF_PLAIN_FIELDS.some(({ isWritten }) => isWritten(root));

/** Frameworks that describe a body as JSON unless told otherwise, while their servers accept files only in forms. */
export const UPLOADS_AS_JSON = [
  {
    frameworks: 'NestJS',
    writes: '`application/json` for a body with a file, without `@ApiConsumes`',
    takes: 'multipart/form-data',
    source: 'NestJS, "OpenAPI", Operations, File upload',
    isWritten: isOfNest,
  },
  {
    frameworks: 'springdoc',
    writes: '`application/json` for a body with a file, without `consumes`',
    takes: 'multipart/form-data',
    source: 'https://github.com/springdoc/springdoc-openapi/issues/3089',
    isWritten: isOfSpringdoc,
  },
] as const satisfies readonly RecognizedHabit[];

/** Framework whose server takes uploads as forms although they are described as JSON; undefined if there is none. */
export const readerOfUploads = remembered(
  (root): string | undefined =>
    UPLOADS_AS_JSON.find(({ isWritten }) => isWritten(root))?.frameworks,
);

/** How a framework reads what is nested in a form, as fields of their own. */
export interface NestedForm extends RecognizedHabit {
  /** `a[b]`, `a.b` and `a[0].b`, or `a.b` and `a[0]b`. */
  readonly members: 'brackets' | NonNullable<PropertyEncoding['members']>;
  /** A list of plain values is `a[]`: of the same name without them, the last value counts. */
  readonly lists?: true;
  /** So is a list of files. Multer refuses names with brackets that its route does not have. */
  readonly fileLists?: true;
  /** Booleans are 1 and 0. */
  readonly digits?: true;
}

/** Frameworks that read no JSON in a field of a form where an object is wanted. */
export const NESTED_FORMS = [
  {
    frameworks: 'Django REST framework',
    writes: 'nested serializers in a form',
    takes: '`address.city=Bern`, `items[0]name=a`',
    source: 'Django REST framework, rest_framework/utils/html.py',
    isWritten: isOfDjango,
    members: 'django',
  },
  {
    frameworks: 'ASP.NET Core',
    writes:
      'objects in a form; `application/json`, `text/json` and `application/*+json` for other bodies',
    takes: '`Address.City=Bern`, `Items[0].Name=a`',
    source: 'ASP.NET Core, "Model binding", Collections, Complex types',
    isWritten: (root) =>
      /^NSwag\b/.test(textMember(root, 'x-generator')) ||
      isAnyOperation(root, (operation) => {
        const types = typesOfBody(operation);
        return types.includes('text/json') && types.includes('application/*+json');
      }),
    members: 'dotted',
  },
  {
    frameworks: 'NestJS',
    writes: 'objects and lists in a form with a file',
    takes:
      '`address[city]=Bern`, `items[0][name]=a`, `tags[]=a`: one value alone is no list otherwise',
    source: 'multer, lib/make-middleware.js; append-field, README',
    isWritten: isOfNest,
    members: 'brackets',
    lists: true,
  },
  {
    frameworks: 'oRPC',
    writes:
      'objects in a form; `allowEmptyValue` and `allowReserved` for each parameter in a query',
    takes: '`address[city]=Bern`, `items[0][name]=a`, `tags[]=a`',
    source: 'oRPC, "Bracket Notation"',
    isWritten: isOfOrpc,
    members: 'brackets',
    lists: true,
    fileLists: true,
  },
  {
    frameworks: 'swagger-php, L5-Swagger, Scramble, Scribe, Nelmio, API Platform',
    writes: 'objects, lists and booleans in a form',
    takes: '`address[city]=Bern`, `items[0][name]=a`, `tags[]=a`, `files[]`, `active=1`: no `true`',
    source: 'PHP manual, "Variables From External Sources"; Laravel, "Validation", boolean',
    isWritten: isOfPhp,
    members: 'brackets',
    lists: true,
    fileLists: true,
    digits: true,
  },
  {
    frameworks: 'Grape with grape-swagger',
    writes: 'lists in a form, without a `collectionFormat`',
    takes: '`tags[]=a`, `files[]`',
    source: 'Rack, "Query parsing"; grape-swagger, lib/grape-swagger/doc_methods/parse_params.rb',
    isWritten: isOfGrape,
    members: 'brackets',
    lists: true,
    fileLists: true,
  },
  {
    frameworks: 'Rails with rswag, Apipie',
    writes: 'objects and lists in a form',
    takes: '`address[city]=Bern`, `items[0][name]=a`, `tags[]=a`; files as `files[]`',
    source:
      'Rails, "Action Controller Overview", Hash and Array Parameters; Rack, lib/rack/query_parser.rb',
    isWritten: isOfRails,
    members: 'brackets',
    lists: true,
    fileLists: true,
  },
] as const satisfies readonly NestedForm[];

export type Reader = Pick<NestedForm, 'digits' | 'fileLists' | 'frameworks' | 'lists' | 'members'>;

/** Who reads what is nested in forms in a way of its own; undefined where nothing tells. */
export const readerOfNested = remembered((root): Reader | undefined =>
  NESTED_FORMS.find(({ isWritten }) => isWritten(root)),
);

/** Frameworks that parse multipart forms of POST alone: with another method, a form is empty and nothing says so. */
export const FORMS_OF_POST = [
  {
    frameworks: 'Laravel, Symfony',
    writes: '`multipart/form-data` for a PUT or PATCH',
    takes: 'POST, with the method in `X-HTTP-Method-Override`',
    source: 'PHP manual, "POST method uploads"; Symfony, HttpFoundation, `Request::getMethod`',
    isWritten: isOfPhp,
  },
] as const satisfies readonly RecognizedHabit[];

/** Who reads a multipart form with this method only as a POST; undefined where nothing tells. */
export const readerOfPosts = (root: JsonObject, method: string): string | undefined =>
  method === 'POST'
    ? undefined
    : FORMS_OF_POST.find(({ isWritten }) => isWritten(root))?.frameworks;

/**
 * How objects with files in them are read where nothing tells of others: JSON cannot contain bytes. Spring binds them as
 * beans, others use brackets.
 */
export const readerOfFilesInside = (root: JsonObject): Reader =>
  isOfSpringdoc(root)
    ? { frameworks: 'Spring', members: 'dotted' }
    : { frameworks: 'most', members: 'brackets' };
