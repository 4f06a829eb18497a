// Preloaded: malloc and its kin from one file mapped at one address, so that a process under Wine finds every array where
// it is here. What is freed is used again by its size, a power of two; SHARED_HEAP names the file.
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PLACE ((char *)0x100000000000)
#define SIZE ((size_t)8 << 30)

static atomic_flag busy = ATOMIC_FLAG_INIT;
static char *next;
static void *unused[48];

static void *take(size_t size, size_t alignment) {
  int kind = 6;  // a block is 2^kind bytes; its number stands in the 16 bytes before what is handed out
  while (((size_t)1 << kind) < size + 16 + alignment) kind++;
  while (atomic_flag_test_and_set(&busy)) {}
  if (!next) {
    int file = open(getenv("SHARED_HEAP"), O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, SIZE) ||
        mmap(PLACE, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0) != PLACE) _exit(99);
    next = PLACE;
  }
  char *block = unused[kind];
  if (block) {
    unused[kind] = *(void **)block;
  } else {
    block = next;
    next += (size_t)1 << kind;
    if (next > PLACE + SIZE) _exit(98);
  }
  atomic_flag_clear(&busy);
  size_t start = ((size_t)block + 16 + alignment - 1) & ~(alignment - 1);
  ((char **)start)[-2] = block;
  ((long *)start)[-1] = kind;
  return (void *)start;
}

void *malloc(size_t size) { return take(size, 16); }

void free(void *start) {
  if (!start) return;
  char *block = ((char **)start)[-2];
  long kind = ((long *)start)[-1];
  while (atomic_flag_test_and_set(&busy)) {}
  *(void **)block = unused[kind];
  unused[kind] = block;
  atomic_flag_clear(&busy);
}

void *calloc(size_t count, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(count, size, &all)) return NULL;
  return memset(take(all, 16), 0, all);
}

size_t malloc_usable_size(void *start) {
  return start ? ((size_t)1 << ((long *)start)[-1]) - ((char *)start - ((char **)start)[-2]) : 0;
}

void *realloc(void *start, size_t size) {
  if (start && size <= malloc_usable_size(start)) return start;
  void *other = malloc(size);
  if (start) memcpy(other, start, malloc_usable_size(start));
  free(start);
  return other;
}

void *memalign(size_t alignment, size_t size) { return take(size, alignment < 16 ? 16 : alignment); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **start, size_t alignment, size_t size) { return (*start = memalign(alignment, size)) ? 0 : ENOMEM; }
