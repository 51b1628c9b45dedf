/** Hands a file to whoever sits before the browser. */
export const saveAs = (name: string, content: Blob): void => {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken it once this turn is over.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};
