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
  readonly toolMode?: Server['tool_mode'] | undefined;
  /** The list of tools would be too long, and nobody has chosen a mode. */
  readonly isTooLarge: boolean;
  readonly apiBaseUrl: string;
  /** Idempotency key: a publication repeated after a lost connection makes one server. */
  readonly key: string;
}

/** Resets choices that were made for another description. */
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

/** A draft of its own: the text may be too long for the browser's storage, which then keeps the other fields. */
export const useText = () => useDraft('new:text', { text: '' });

type Sent = Extract<BodyOf<'POST /descriptions'>, { openapi_url?: unknown }>;

/** The chosen mode; else search mode if a list of tools would be too long. */
export const toolModeOf = ({ toolMode, isTooLarge }: NewDraft): Server['tool_mode'] =>
  toolMode ?? (isTooLarge ? 'search' : 'operations');

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

export const sourceOf = (draft: NewDraft, text: string): Sent =>
  draft.source === 'url'
    ? { openapi_url: draft.url.trim() }
    : draft.source === 'gallery'
      ? { gallery_id: draft.galleryId }
      : { openapi: text };
