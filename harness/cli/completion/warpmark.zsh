#compdef warpmark

_warpmark_words_and_files() {
  compadd -- "$@"
  _files
}

_warpmark() {
  local curcontext=$curcontext state line
  local -a commands=(
@commands@
  )
  _arguments -C '(-h --help)'{-h,--help}'[Show this help]' '--version[Print version and build]' '1: :->command' '*:: :->rest'
  case $state in
    command) _describe command commands ;;
    rest)
      case $words[1] in
@options@
      esac
      ;;
  esac
}

if [[ $funcstack[1] == _warpmark ]]; then
  _warpmark "$@"
else
  compdef _warpmark warpmark
fi
