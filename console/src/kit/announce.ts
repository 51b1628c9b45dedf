/** Of the one live region of the console, which is there from the start. */
export const LIVE_REGION = 'said';

const SHOWN_MS = 4000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Tells everybody, screen readers too, that something was done. */
export const announce = (text: string): void => {
  const region = document.getElementById(LIVE_REGION);
  if (!region) return;
  region.textContent = text;
  clearTimeout(timer);
  timer = setTimeout(() => region.replaceChildren(), SHOWN_MS);
};
