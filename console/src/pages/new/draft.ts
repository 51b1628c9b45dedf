import type { AnswerOf, BodyOf } from '../../api/call.ts';
import { useDraft } from '../../state/draft.ts';

type Server = AnswerOf<'getDeployment'>;

export type Source = 'file' | 'url' | 'gallery';

/** Everything of a server to be that somebody has said so far. */
export interface NewDraft {
  readonly source: Source;
  readonly fileName: string;
  readonly url: string;
  readonly galleryId: string;
  /** Operations that become tools; null: all. */
  readonly chosen: readonly string[] | null;
  readonly name: string;
  readonly slug: string;
  readonly authMethod: Server['mcp_auth_method'];
  readonly toolMode: Server['tool_mode'];
  readonly apiBaseUrl: string;
  /** Names the publication, so that one whose connection is cut makes one server. */
  readonly key: string;
}

const NOTHING: NewDraft = {
  source: 'file',
  fileName: '',
  url: '',
  galleryId: '',
  chosen: null,
  name: '',
  slug: '',
  authMethod: 'oauth',
  toolMode: 'operations',
  apiBaseUrl: '',
  key: '',
};

export const useNewDraft = () => useDraft<NewDraft>('new', NOTHING);

/** The text apart from the rest: where it is too long for the browser's storage, the rest is not lost with it. */
export const useText = () => useDraft('new:text', { text: '' });

type Sent = Extract<BodyOf<'checkDescription'>, { openapi_url?: unknown }>;

/** What is sent beside the description. @param include - undefined: every operation */
export const fieldsOf = (draft: NewDraft, include: readonly string[] | undefined) => ({
  ...(draft.name.trim() !== '' && { name: draft.name.trim() }),
  ...(draft.slug.trim() !== '' && { slug: draft.slug.trim() }),
  ...(include && { operations: { include } }),
  mcp_auth_method: draft.authMethod,
  tool_mode: draft.toolMode,
  ...(draft.apiBaseUrl.trim() !== '' &&
    draft.source !== 'gallery' && { api_base_url: draft.apiBaseUrl.trim() }),
});

/** The description itself, or where it is. */
export const sourceOf = (draft: NewDraft, text: string): Sent =>
  draft.source === 'url'
    ? { openapi_url: draft.url.trim() }
    : draft.source === 'gallery'
      ? { gallery_id: draft.galleryId }
      : { openapi: text };
