/** Id of the console's only live region, which is in the page from the start. */
export const LIVE_REGION = 'said';

const SHOWN_MS = 4000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows what was done for four seconds, and has screen readers say it. */
export const announce = (text: string): void => {
  const region = document.getElementById(LIVE_REGION);
  if (!region) return;
  region.textContent = text;
  clearTimeout(timer);
  timer = setTimeout(() => region.replaceChildren(), SHOWN_MS);
};
