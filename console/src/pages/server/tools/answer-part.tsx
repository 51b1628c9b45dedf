import { Button } from '../../../kit/button.tsx';
import { saveAs } from '../../../kit/save-as.ts';
import { bytes } from '../../../kit/words.ts';

type Block = Readonly<Record<string, unknown>>;

/** Those that a page can draw without running anything of them. */
const PICTURES = /^image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)$/;

/** One part of a result: text, a picture, or a file to be saved. Source: MCP 2025-06-18, "Tools", "Tool Result". */
export const AnswerPart = ({ block }: { readonly block: Block }) => {
  const { type, text, data, mimeType, uri, name } = block;
  if (type === 'text' && typeof text === 'string') return <Text text={text} />;
  if (typeof data === 'string') return <Bytes data={data} mediaType={textIn(mimeType)} />;
  if (type === 'resource_link' && typeof uri === 'string') {
    return (
      <p>
        {typeof name === 'string' && <strong>{name} </strong>}
        {uri.startsWith('https://') ? (
          <a href={uri} rel="noreferrer" target="_blank">
            {uri}
          </a>
        ) : (
          <code>{uri}</code>
        )}
      </p>
    );
  }
  const { resource } = block;
  if (type === 'resource' && typeof resource === 'object' && resource !== null) {
    const inner = resource as Block;
    if (typeof inner['text'] === 'string') return <Text text={inner['text']} />;
    if (typeof inner['blob'] === 'string') {
      return <Bytes data={inner['blob']} mediaType={textIn(inner['mimeType'])} />;
    }
  }
  return <Text text={JSON.stringify(block)} />;
};

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const Text = ({ text }: { readonly text: string }) => (
  <pre class="scrolled answer" tabIndex={0} aria-label="Answer">
    <code>{indented(text)}</code>
  </pre>
);

const Bytes = ({ data, mediaType }: { readonly data: string; readonly mediaType: string }) => {
  const size =
    Math.floor((data.length * 3) / 4) - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0);
  const [type = ''] = mediaType.toLowerCase().split(';');
  return (
    <figure class="answer-part">
      {PICTURES.test(type) && (
        <img src={`data:${type};base64,${data}`} alt="The picture that the API answered with" />
      )}
      <figcaption class="row">
        <span class="soft small">
          {mediaType === '' ? 'A file' : mediaType}, {bytes(size)}
        </span>
        <Button onClick={() => saveAs(`answer.${endingOf(type)}`, fileOf(data))}>Save it</Button>
      </figcaption>
    </figure>
  );
};

/** As bytes and never as what it claims to be: a browser would open a page of it in the console's name. */
const fileOf = (data: string): Blob => {
  const text = atob(data);
  const content = Uint8Array.from(text, (one) => one.charCodeAt(0));
  return new Blob([content], { type: 'application/octet-stream' });
};

const endingOf = (type: string): string => {
  const [, ending = 'bin'] = /^[a-z]+\/([a-z0-9]+)/.exec(type) ?? [];
  return ending === 'octet' ? 'bin' : ending;
};

/** JSON is laid out; anything else stays as it came. */
const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};
