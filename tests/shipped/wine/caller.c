// A process of Windows that calls functions of a library: caller.exe LIBRARY HEAP. Where the library lies goes to standard
// output; then, for every call read from standard input (address, number of words, 16 words), a byte when it is done.
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <windows.h>

#define PLACE ((void *)0x100000000000)
#define SIZE ((size_t)8 << 30)
typedef long long word;
typedef void (*function)(word, word, word, word, word, word, word, word, word, word, word, word, word, word, word, word);

int main(int count, char **words) {
  _setmode(0, _O_BINARY);
  _setmode(1, _O_BINARY);
  HANDLE file = CreateFileA(words[2], GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                            OPEN_EXISTING, 0, NULL);
  HANDLE mapping = CreateFileMappingA(file, NULL, PAGE_READWRITE, (DWORD)(SIZE >> 32), (DWORD)SIZE, NULL);
  if (!mapping || MapViewOfFileEx(mapping, FILE_MAP_ALL_ACCESS, 0, 0, SIZE, PLACE) != PLACE) return 3;
  word library = (word)LoadLibraryA(words[1]);
  if (!library) return 4;
  fwrite(&library, 8, 1, stdout);
  fflush(stdout);
  word w[17];
  while (fread(w, 8, 17, stdin) == 17) {
    if (w[0] < 0) {  // the address of a name
      char name[256] = {0};
      fread(name, 1, (size_t)-w[0], stdin);
      word found = (word)GetProcAddress((HMODULE)library, name);
      fwrite(&found, 8, 1, stdout);
    } else {
      ((function)w[0])(w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12], w[13], w[14], w[15],
                       w[16]);
      fputc(0, stdout);
    }
    fflush(stdout);
  }
  return 0;
}
