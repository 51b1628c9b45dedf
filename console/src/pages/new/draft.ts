import type { AnswerOf, BodyOf } from '../../api/operation.ts';
import { useDraft } from '../../state/draft.ts';
import { EVERYTHING, type Selection, sentSelection } from '../operations/selection.ts';

type Server = AnswerOf<'GET /deployments/{slug}'>;

export type Source = 'file' | 'text' | 'url' | 'gallery';

export interface NewDraft {
  readonly source: Source;
  readonly fileName: string;
  readonly url: string;
  readonly galleryId: string;
  readonly selection: Selection;
  readonly name: string;
  readonly slug: string;
  readonly authMethod: Server['mcp_auth_method'];
  /** Undefined until somebody chooses one. */
  readonly toolMode?: Server['tool_mode'] | undefined;
  /** More operations than a list of tools may have, and no mode was chosen. */
  readonly isTooLarge: boolean;
  readonly apiBaseUrl: string;
  /** Idempotency key: a publication repeated after a lost connection makes one server. */
  readonly key: string;
}

/** Choices of an earlier description do not apply to another one. */
export const FRESH = { selection: EVERYTHING, isTooLarge: false } as const;

const NOTHING: NewDraft = {
  source: 'file',
  fileName: '',
  url: '',
  galleryId: '',
  ...FRESH,
  name: '',
  slug: '',
  authMethod: 'oauth',
  apiBaseUrl: '',
  key: '',
};

export const useNewDraft = () => useDraft<NewDraft>('new', NOTHING);

/** A draft of its own for the text: too long for the browser's storage, it takes no other field with it. */
export const useText = () => useDraft('new:text', { text: '' });

type Sent = Extract<BodyOf<'POST /descriptions'>, { openapi_url?: unknown }>;

/** The chosen mode, else search where a list of tools would be too long. */
export const toolModeOf = ({ toolMode, isTooLarge }: NewDraft): Server['tool_mode'] =>
  toolMode ?? (isTooLarge ? 'search' : 'operations');

/** Fields of the request beside the description. */
export const sentFields = (draft: NewDraft) => {
  const operations = sentSelection(draft.selection);
  return {
    ...(draft.name.trim() !== '' && { name: draft.name.trim() }),
    ...(draft.slug.trim() !== '' && { slug: draft.slug.trim() }),
    ...(operations && { operations }),
    mcp_auth_method: draft.authMethod,
    tool_mode: toolModeOf(draft),
    ...(draft.apiBaseUrl.trim() !== '' &&
      draft.source !== 'gallery' && { api_base_url: draft.apiBaseUrl.trim() }),
  };
};

/** The request's field that holds or names the description. */
export const sourceOf = (draft: NewDraft, text: string): Sent =>
  draft.source === 'url'
    ? { openapi_url: draft.url.trim() }
    : draft.source === 'gallery'
      ? { gallery_id: draft.galleryId }
      : { openapi: text };
